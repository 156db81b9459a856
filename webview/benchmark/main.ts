import './benchmark.css';
import {connectHost} from '../shared/host.js';
import {BenchmarkView} from './benchmark-view.js';

new BenchmarkView(connectHost(), document.body).start();
