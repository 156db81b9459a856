import './query.css';
import {connectHost} from '../shared/host.js';
import {QueryView} from './query-view.js';

new QueryView(connectHost(), document.body).start();
