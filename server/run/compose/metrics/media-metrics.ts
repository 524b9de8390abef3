import type { Durations, WorkerFigures } from '@sightline/media/control'

type Labels = Readonly<Record<string, string>>

interface Sample {
  readonly labels?: Labels
  readonly value: number
}

interface Metric {
  readonly name: string
  readonly kind: 'counter' | 'gauge'
  readonly help: string
  readonly of: (figures: WorkerFigures) => readonly Sample[]
}

const one = (value: number): readonly Sample[] => [{ value }]
const by = (label: string, values: Readonly<Record<string, number>>): readonly Sample[] =>
  Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }))

const METRICS: readonly Metric[] = [
  {
    name: 'sightline_media_cameras',
    kind: 'gauge',
    help: 'Cameras by state: recorded, unrecorded (connected, but footage cannot be written), off (not recorded because of mode or schedule) or offline.',
    of: ({ cameras }) => by('state', cameras),
  },
  {
    name: 'sightline_media_cameras_wanted',
    kind: 'gauge',
    help: 'Cameras assigned to this worker, in any state.',
    of: ({ cameras }) => one(cameras.recorded + cameras.unrecorded + cameras.off + cameras.offline),
  },
  {
    name: 'sightline_media_refused_cameras',
    kind: 'gauge',
    help: 'Cameras of this worker that are not connected, because it has no processor time for them.',
    of: ({ refusedCameras }) => one(refusedCameras),
  },
  {
    name: 'sightline_media_viewers',
    kind: 'gauge',
    help: 'Open streams.',
    of: ({ viewers }) => by('use', viewers),
  },
  {
    name: 'sightline_media_refused_streams_total',
    kind: 'counter',
    help: 'Streams rejected because a user, an account or the worker had too many open.',
    of: ({ refusedStreams }) => one(refusedStreams),
  },
  {
    name: 'sightline_media_late_lease_renewals_total',
    kind: 'counter',
    help: 'Camera leases renewed late; state lapsed: after they expired.',
    of: ({ leases: { late, lapsed } }) => by('state', { held: late - lapsed, lapsed }),
  },
  {
    name: 'sightline_media_free_disk_bytes',
    kind: 'gauge',
    help: 'Free space on the footage disk.',
    of: ({ freeDiskBytes }) => one(freeDiskBytes ?? Number.NaN),
  },
  {
    name: 'sightline_media_database_connections',
    kind: 'gauge',
    help: 'Database connections by use (work, leases) and state (busy, idle).',
    of: ({ database }) =>
      Object.entries(database).flatMap(([use, { total, idle }]) => [
        { labels: { use, state: 'busy' }, value: total - idle },
        { labels: { use, state: 'idle' }, value: idle },
      ]),
  },
  {
    name: 'sightline_media_database_waiting',
    kind: 'gauge',
    help: 'Requests waiting for a database connection, by use.',
    of: ({ database: { work, leases } }) => by('use', { work: work.waiting, leases: leases.waiting }),
  },
  {
    name: 'sightline_media_recorded_pictures_total',
    kind: 'counter',
    help: 'Video frames written to segments.',
    of: ({ recorded }) => one(recorded.pictures),
  },
  {
    name: 'sightline_media_recorded_bytes_total',
    kind: 'counter',
    help: 'Bytes written to segments.',
    of: ({ recorded }) => one(recorded.bytes),
  },
  {
    name: 'sightline_media_received_packets_total',
    kind: 'counter',
    help: 'RTP packets received from cameras.',
    of: ({ received }) => one(received.packets),
  },
  {
    name: 'sightline_media_lost_packets_total',
    kind: 'counter',
    help: 'RTP packets lost, by their sequence numbers.',
    of: ({ received }) => one(received.lostPackets),
  },
  {
    name: 'sightline_media_bad_packets_total',
    kind: 'counter',
    help: 'Malformed RTP packets.',
    of: ({ received }) => one(received.badPackets),
  },
  {
    name: 'sightline_media_dropped_pictures_total',
    kind: 'counter',
    help: 'Video frames damaged, or not decodable because an earlier frame was damaged.',
    of: ({ received }) => one(received.droppedPictures),
  },
  {
    name: 'sightline_media_sync_failures_total',
    kind: 'counter',
    help: 'Failed flushes of footage files to disk (fdatasync).',
    of: ({ failedSyncs }) => one(failedSyncs),
  },
  {
    name: 'sightline_media_event_loop_delay_seconds',
    kind: 'gauge',
    help: 'Timer delay since the last scrape; quantile 1 is the maximum.',
    of: ({ eventLoopDelay: { median, p99, max } }) => by('quantile', { '0.5': median, '0.99': p99, '1': max }),
  },
  {
    name: 'sightline_media_processor_seconds_total',
    kind: 'counter',
    help: 'CPU time of the worker, user and system.',
    of: ({ processorSeconds }) => one(processorSeconds),
  },
  {
    name: 'sightline_media_resident_memory_bytes',
    kind: 'gauge',
    help: 'Resident memory of the worker.',
    of: ({ residentBytes }) => one(residentBytes),
  },
]

const line = (name: string, labels: Labels, value: number): string => {
  const list = Object.entries(labels).map(([label, text]) => `${label}=${JSON.stringify(text)}`)
  return `${name}{${list.join(',')}} ${value}`
}

const head = (name: string, kind: string, help: string): readonly string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${kind}`,
]

function histogram(name: string, worker: string, { upTo, count, sum }: Durations): readonly string[] {
  return [
    ...upTo.map(([seconds, within]) => line(`${name}_bucket`, { worker, le: String(seconds) }, within)),
    line(`${name}_bucket`, { worker, le: '+Inf' }, count),
    line(`${name}_sum`, { worker }, sum),
    line(`${name}_count`, { worker }, count),
  ]
}

/** The Prometheus text (exposition format 0.0.4) of these workers. */
export function mediaMetrics(workers: ReadonlyMap<string, WorkerFigures>): string {
  const lines = METRICS.flatMap(({ name, kind, help, of }) => [
    ...head(name, kind, help),
    ...[...workers].flatMap(([worker, figures]) =>
      of(figures).map(({ labels, value }) => line(name, { worker, ...labels }, value)),
    ),
  ])
  const sync = 'sightline_media_sync_duration_seconds'
  const syncs = [...workers].flatMap(([worker, figures]) => histogram(sync, worker, figures.syncs))
  return `${[...lines, ...head(sync, 'histogram', 'Time to flush one footage file to disk (fdatasync).'), ...syncs].join('\n')}\n`
}
