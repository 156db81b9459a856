import {expect, it} from 'vitest';
import {collectiveWaits} from '../../../src/core/job/call-waits.js';
import {groupLink} from '../../../src/core/job/group-link.js';
import {linkText, shareText} from '../../../src/core/job/link-text.js';
import {matchCalls} from '../../../src/core/job/match-calls.js';
import {madeJob} from '../../support/job-ranks.js';

/** A job with a rank on each of the hosts; null for one that nothing tells. */
const ranksOn = (device: string | null, hosts: readonly (string | null)[]) =>
  madeJob({ranks: hosts.length, steps: 1, callsPerStep: 1}).map((rank, at) => ({
    ...rank,
    device,
    host: hosts[at] ?? null,
  }));
const h100 = 'NVIDIA H100 80GB HBM3';
const [a, b] = [Array.from({length: 8}, () => 'a'), Array.from({length: 8}, () => 'b')];

it.each([
  {device: h100, hosts: a, link: {name: 'NVLink', bytesPerSecond: 450e9, isAssumed: false}},
  {device: h100, hosts: [null, null], link: {name: 'NVLink', bytesPerSecond: 450e9, isAssumed: true}},
  {device: 'AMD Instinct MI300X', hosts: a, link: {name: 'Infinity Fabric', bytesPerSecond: 448e9, isAssumed: false}},
  // Of seven links of 64 GB/s, two GPUs share one.
  {
    device: 'AMD Instinct MI300X',
    hosts: ['a', 'a'],
    link: {name: 'Infinity Fabric', bytesPerSecond: 64e9, isAssumed: false},
  },
  {device: 'AMD Instinct MI300X', hosts: ['a'], link: null},
  {device: 'Tesla V100-SXM2-32GB', hosts: a, link: {name: 'NVLink', bytesPerSecond: 150e9, isAssumed: false}},
  {device: 'Tesla V100-SXM2-32GB', hosts: ['a', 'a'], link: null},
  // The preset's machine has four of these GPUs, this one eight.
  {device: 'NVIDIA A100-SXM4-40GB', hosts: [...a, ...b], link: null},
  // Eight adapters of 400 Gb/s on each of two machines, and one of them where a machine brings one rank.
  {device: h100, hosts: [...a, ...b], link: {name: 'InfiniBand', bytesPerSecond: 400e9, isAssumed: false}},
  {device: h100, hosts: ['a', 'a', 'b'], link: {name: 'InfiniBand', bytesPerSecond: 50e9, isAssumed: false}},
  {device: 'NVIDIA L40S', hosts: ['a', 'a'], link: {name: 'PCIe', bytesPerSecond: 32e9, isAssumed: false}},
  {device: 'Tesla T4', hosts: [null, null], link: {name: 'PCIe', bytesPerSecond: 16e9, isAssumed: true}},
  {device: 'NVIDIA L40S', hosts: ['a', 'b'], link: null},
  {device: h100, hosts: ['a', null], link: null},
  {device: h100, hosts: Array.from({length: 9}, () => null), link: null},
  {device: 'NVIDIA A100-PCIE-40GB', hosts: ['a', 'a'], link: null},
  {device: 'NVIDIA H100 NVL', hosts: ['a', 'a'], link: null},
  {device: 'Orin', hosts: ['a', 'a'], link: null},
  {device: null, hosts: ['a', 'a'], link: null},
])('the link of $device on $hosts', ({device, hosts, link}) => {
  expect(groupLink(ranksOn(device, hosts), hosts.length)).toEqual(link);
});

it('GPUs that differ have no link that is known, nor a group of unknown size, nor one of which a rank on another host is missing', () => {
  const [first, second] = ranksOn(h100, ['a', 'a']);
  if (!first || !second) throw new Error('two ranks');
  expect(groupLink([first, {...second, device: 'NVIDIA H200'}], 2)).toBeNull();
  expect(groupLink([first, second], NaN)).toBeNull();
  expect(groupLink(ranksOn(h100, ['a', 'b']), 3)).toBeNull();
  expect(groupLink([first, second], 3)).toEqual({name: 'NVLink', bytesPerSecond: 450e9, isAssumed: true});
});

it('the share of the link is the bus bandwidth of the fastest rank by hand', () => {
  const onGpu = ranksOn(h100, ['a', 'a', 'a', 'a']).map((rank, at) => ({
    ...rank,
    // 90 MB in 1 ms, which a rank that comes early waits for.
    calls: rank.calls.map(call => ({...call, bytes: 90e6, busyNs: at === 2 ? 1e6 : 3e6, exposedNs: 0})),
  }));
  const [row] = collectiveWaits(onGpu, matchCalls(onGpu));
  if (!row) throw new Error('one kind of calls');
  // 90 GB/s, of which a ring of four sends 2 × 3 / 4 over each link: 135 of 450 GB/s.
  expect(row.busBytesPerSecond).toBeCloseTo(135e9, 0);
  expect(row.shareOfLink).toBeCloseTo(0.3, 9);
  expect([linkText(row), shareText(row)]).toEqual(['NVLink', '30.0 %']);
  const onCpu = onGpu.map(rank => ({...rank, calls: rank.calls.map(call => ({...call, exposedNs: NaN}))}));
  const [cpu] = collectiveWaits(onCpu, matchCalls(onCpu));
  expect([cpu?.link, cpu?.shareOfLink, cpu && linkText(cpu)]).toEqual([null, null, 'unknown link']);
});
