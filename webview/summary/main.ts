import './summary.css';
import {connectHost} from '../shared/host.js';
import {SummaryView} from './summary-view.js';

new SummaryView(connectHost(), document.body).start();
