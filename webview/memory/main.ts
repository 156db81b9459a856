import './memory.css';
import {connectHost} from '../shared/host.js';
import {MemoryView} from './memory-view.js';

new MemoryView(connectHost(), document.body).start();
