import './benchmark.css';
import {pageRoot} from '../shared/dom.js';
import {connectHost} from '../shared/host.js';
import {BenchmarkView} from './benchmark-view.js';

new BenchmarkView(connectHost(), pageRoot()).start();
