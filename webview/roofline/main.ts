import './roofline.css';
import {pageRoot} from '../shared/dom.js';
import {connectHost} from '../shared/host.js';
import {RooflineView} from './roofline-view.js';

new RooflineView(connectHost(), pageRoot()).start();
