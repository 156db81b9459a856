import './memory.css';
import {pageRoot} from '../shared/dom.js';
import {connectHost} from '../shared/host.js';
import {MemoryView} from './memory-view.js';

new MemoryView(connectHost(), pageRoot()).start();
