import './job.css';
import {pageRoot} from '../shared/dom.js';
import {connectHost} from '../shared/host.js';
import {JobPage} from './job-page.js';

new JobPage(connectHost(), pageRoot()).start();
