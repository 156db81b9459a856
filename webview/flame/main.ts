import './flame.css';
import {pageRoot} from '../shared/dom.js';
import {connectHost} from '../shared/host.js';
import {FlameView} from './flame-view.js';

new FlameView(connectHost(), pageRoot()).start();
