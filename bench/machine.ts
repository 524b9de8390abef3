import { spawnSync } from 'node:child_process'
import { availableParallelism, loadavg, release, totalmem } from 'node:os'
import { chromiumPath } from '../tests/browser.ts'
import { repository } from '../tests/running-product.ts'

const GIB = 2 ** 30

/** Describes the machine without identifying its owner. */
export function describeMachine(): string {
  const [kernel = ''] = /^\d+\.\d+/.exec(release()) ?? []
  const programs = [
    `Node ${process.versions.node}`,
    versionOf('ffmpeg', /^ffmpeg version (\d+\.\d+)/),
    chromiumPath === undefined ? undefined : versionOf(chromiumPath, /^Chromium (\d+)/),
  ].filter((program) => program !== undefined)
  return `${availableParallelism()} virtual cores, ${Math.round(totalmem() / GIB)} GiB of memory, ${process.platform} ${kernel}, ${programs.join(', ')}`
}

function versionOf(program: string, pattern: RegExp): string | undefined {
  const { stdout } = spawnSync(program, [program === 'ffmpeg' ? '-version' : '--version'], { encoding: 'utf8' })
  const version = pattern.exec(stdout ?? '')?.[1]
  return version === undefined ? undefined : `${program === 'ffmpeg' ? 'ffmpeg' : 'Chromium'} ${version}`
}

/** The measured commit, with a note if there were uncommitted changes. */
export function commit(): string {
  const git = (...words: string[]) =>
    spawnSync('git', words, { cwd: repository, encoding: 'utf8' }).stdout?.trim() ?? ''
  const hash = git('rev-parse', '--short=10', 'HEAD')
  if (hash === '') return 'unknown'
  return git('status', '--porcelain', '--untracked-files=no') === '' ? hash : `${hash} with changes`
}

/** Average number of runnable processes over the last minute; more than the number of cores means other load. */
export const load = (): number => loadavg()[0] ?? 0
