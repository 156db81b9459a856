import './compare.css';
import {connectHost} from '../shared/host.js';
import {ComparisonView} from './comparison-view.js';

new ComparisonView(connectHost(), document.body).start();
