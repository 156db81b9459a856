import './query.css';
import {pageRoot} from '../shared/dom.js';
import {connectHost} from '../shared/host.js';
import {QueryView} from './query-view.js';

new QueryView(connectHost(), pageRoot()).start();
