import './roofline.css';
import {connectHost} from '../shared/host.js';
import {RooflineView} from './roofline-view.js';

new RooflineView(connectHost(), document.body).start();
