import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** An external program that tests need; the product itself does not. */
export interface Tool {
  readonly name: 'chromium' | 'ffmpeg' | 'gstreamer' | 'p7zip' | 'postgresql'
  /** What can't be tested without it. */
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
      "import gi; gi.require_version('GstRtspServer', '1.0'); gi.require_version('GstWebRTC', '1.0'); " +
        'from gi.repository import Gst, GstRtspServer, GstWebRTC; Gst.init(None); ' +
        "names = ('x264enc', 'rtph264pay', 'avdec_h264', 'videotestsrc', 'webrtcbin', 'nicesrc'); " +
        'assert all(Gst.ElementFactory.find(name) for name in names)',
    ],
    { stdio: 'ignore' },
  ).status === 0

/** Folder of the newest PostgreSQL from Debian. */
export function debianPostgres(): string | undefined {
  const root = '/usr/lib/postgresql'
  if (!existsSync(root)) return undefined
  return readdirSync(root)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(root, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')))
}

/** Only makes the run faster, so its absence is not reported. */
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
    forWhat: 'tests with third-party cameras and players',
    packages: [
      'gstreamer1.0-plugins-base',
      'gstreamer1.0-plugins-good',
      'gstreamer1.0-plugins-bad',
      'gstreamer1.0-plugins-ugly',
      'gstreamer1.0-libav',
      'gstreamer1.0-nice',
      'gir1.2-gst-plugins-bad-1.0',
      'gir1.2-gst-rtsp-server-1.0',
      'python3-gi',
    ],
    isThere: gstreamerServes,
  },
  {
    name: 'p7zip',
    forWhat: 'opening ZIP files with a password',
    packages: ['p7zip-full'],
    isThere: () => inPath('7z'),
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
  // Run level 1 keeps Debian from starting its own database server during the installation.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const ran = spawnSync('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=300', ...args], {
    encoding: 'utf8',
    env,
    timeout: 900_000,
  })
  if (ran.status !== 0) console.log(`${ran.stdout ?? ''}${ran.stderr ?? ''}apt-get ${args[0]} failed`)
  return ran.status === 0
}

/** Installs missing tools if this process may; returns the tools that are still missing. */
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
