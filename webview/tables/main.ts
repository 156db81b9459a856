import './tables.css';
import {pageRoot} from '../shared/dom.js';
import {connectHost} from '../shared/host.js';
import {TablesView} from './tables-view.js';

new TablesView(connectHost(), pageRoot()).start();
