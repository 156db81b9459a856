import './flame.css';
import {connectHost} from '../shared/host.js';
import {FlameView} from './flame-view.js';

new FlameView(connectHost(), document.body).start();
