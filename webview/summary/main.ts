import './summary.css';
import {pageRoot} from '../shared/dom.js';
import {connectHost} from '../shared/host.js';
import {SummaryView} from './summary-view.js';

new SummaryView(connectHost(), pageRoot()).start();
