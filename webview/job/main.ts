import './job.css';
import {connectHost} from '../shared/host.js';
import {JobPage} from './job-page.js';

new JobPage(connectHost(), document.body).start();
