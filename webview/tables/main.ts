import './tables.css';
import {connectHost} from '../shared/host.js';
import {TablesView} from './tables-view.js';

new TablesView(connectHost(), document.body).start();
