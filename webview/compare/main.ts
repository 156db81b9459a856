import './compare.css';
import {pageRoot} from '../shared/dom.js';
import {connectHost} from '../shared/host.js';
import {ComparisonView} from './comparison-view.js';

new ComparisonView(connectHost(), pageRoot()).start();
