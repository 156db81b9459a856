import './timeline.css';
import {connectHost} from '../shared/host.js';
import {TimelineView} from './timeline-view.js';

new TimelineView(connectHost(), document.body).start();
