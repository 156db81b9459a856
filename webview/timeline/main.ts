import './timeline.css';
import {pageRoot} from '../shared/dom.js';
import {connectHost} from '../shared/host.js';
import {TimelineView} from './timeline-view.js';

new TimelineView(connectHost(), pageRoot()).start();
