import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A program that judges our output from outside; the product itself needs none of them. */
export interface Tool {
  readonly name: 'chromium' | 'ffmpeg' | 'gstreamer' | 'postgresql'
  /** What cannot be tested without it. */
  readonly forWhat: string
  readonly packages: readonly string[]
  readonly isThere: () => boolean
}

const inPath = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))

const gstreamerServes = (): boolean =>
  spawnSync(
    '/usr/bin/python3',
    [
      '-c',
      "import gi; gi.require_version('GstRtspServer', '1.0'); from gi.repository import Gst, GstRtspServer; Gst.init(None); " +
        "assert all(Gst.ElementFactory.find(name) for name in ('x264enc', 'rtph264pay', 'avdec_h264', 'videotestsrc'))",
    ],
    { stdio: 'ignore' },
  ).status === 0

/** Folder of the newest PostgreSQL that Debian installed. */
export function debianPostgres(): string | undefined {
  const root = '/usr/lib/postgresql'
  if (!existsSync(root)) return undefined
  return readdirSync(root)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(root, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')))
}

/** Makes the run shorter; nothing stays untested without it, so where it is missing nothing is said. */
const headlessShell = 'chromium-headless-shell'

const tools: readonly Tool[] = [
  {
    name: 'chromium',
    forWhat: 'browser tests',
    packages: ['chromium'],
    isThere: () => inPath('chromium'),
  },
  {
    name: 'ffmpeg',
    forWhat: 'checking our video with another decoder',
    packages: ['ffmpeg'],
    isThere: () => inPath('ffmpeg') && inPath('ffprobe'),
  },
  {
    name: 'gstreamer',
    forWhat: 'tests with third-party cameras',
    packages: [
      'gstreamer1.0-plugins-base',
      'gstreamer1.0-plugins-good',
      'gstreamer1.0-plugins-bad',
      'gstreamer1.0-plugins-ugly',
      'gstreamer1.0-libav',
      'gir1.2-gst-rtsp-server-1.0',
      'python3-gi',
    ],
    isThere: gstreamerServes,
  },
  {
    name: 'postgresql',
    forWhat: 'tests with an external database',
    packages: ['postgresql'],
    isThere: () => debianPostgres() !== undefined,
  },
]

const maySetUp = (): boolean => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

function apt(...args: readonly string[]): boolean {
  // Run level 1 keeps Debian from starting a database server of its own on the way.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const ran = spawnSync('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=300', ...args], {
    encoding: 'utf8',
    env,
    timeout: 900_000,
  })
  if (ran.status !== 0) console.log(`${ran.stdout ?? ''}${ran.stderr ?? ''}apt-get ${args[0]} failed`)
  return ran.status === 0
}

/** Installs what is missing where this process may; answers what is missing still. */
export function setUpTools(): readonly Tool[] {
  const missing = tools.filter((tool) => !tool.isThere())
  const isWhole = missing.length === 0 && inPath(headlessShell)
  if (isWhole || !maySetUp()) return missing
  const packages = missing.flatMap((tool) => tool.packages)
  console.log(`installing ${[...packages, headlessShell].join(' ')}`)
  apt('update')
  apt('install', '-y', '--no-install-recommends', headlessShell)
  if (!apt('install', '-y', '--no-install-recommends', ...packages)) {
    for (const tool of missing) apt('install', '-y', '--no-install-recommends', ...tool.packages)
  }
  return missing.filter((tool) => !tool.isThere())
}
