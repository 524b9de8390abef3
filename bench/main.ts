/**
 * Runs the benchmarks and prints their results: `npm run bench [name…] [--short] [--write]`.
 * Every figure is compared with a peer or a baseline from the same run, because machines differ.
 */
import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { repository } from '../tests/running-product.ts'
import { adoption } from './adoption/adoption.ts'
import { api } from './api/api.ts'
import { cameraList } from './camera-list/camera-list.ts'
import { directMp4 } from './direct-mp4/direct-mp4.ts'
import { discovery } from './discovery/discovery.ts'
import { events } from './events/events.ts'
import { faults } from './faults/faults.ts'
import { type Bench, CannotMeasure, isMet, type Pace, toTable } from './figure.ts'
import { firstLoad } from './first-load/first-load.ts'
import { live } from './live/live.ts'
import { commit, describeMachine, load } from './machine.ts'
import { modes } from './modes/modes.ts'
import { motion } from './motion/motion.ts'
import { multiview } from './multiview/multiview.ts'
import { people } from './people/people.ts'
import { ptz } from './ptz/ptz.ts'
import { manyCameras } from './recorder/many-cameras.ts'
import { recorder } from './recorder/recorder.ts'
import { rights } from './rights/rights.ts'
import { seeking } from './seeking/seeking.ts'
import { signInBench } from './sign-in/sign-in.ts'
import { startUpBench } from './start-up/start-up.ts'
import { timeline } from './timeline/timeline.ts'
import { timelineDrawing } from './timeline-drawing/timeline-drawing.ts'
import { viewers } from './viewers/viewers.ts'
import { wall } from './wall/wall.ts'

const page = join(repository, 'docs/benchmarks.md')

/** Writes the results of one bench to the page, between its two marks. */
async function writeResults(name: string, results: string): Promise<void> {
  const [begin, end] = [`<!-- bench ${name} -->`, `<!-- /bench ${name} -->`]
  const text = await readFile(page, 'utf8')
  const [from, till] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || till < from) throw new Error(`${page} has no place for ${name}: expected ${begin} and ${end}`)
  await writeFile(page, `${text.slice(0, from + begin.length)}\n\n${results}\n\n${text.slice(till)}`)
}

const benches: readonly Bench[] = [
  recorder,
  manyCameras,
  faults,
  api,
  rights,
  people,
  timeline,
  timelineDrawing,
  events,
  modes,
  adoption,
  discovery,
  ptz,
  motion,
  live,
  multiview,
  wall,
  seeking,
  cameraList,
  directMp4,
  viewers,
  signInBench,
  firstLoad,
  startUpBench,
]

interface Wish {
  readonly chosen: readonly Bench[]
  readonly pace: Pace
  readonly writes: boolean
}

/** Parses the command line; returns an error message if it is invalid. */
function parse(words: readonly string[]): Wish | string {
  const names = words.filter((word) => !word.startsWith('--'))
  const unknown = words.find(
    (word) => !['--short', '--write'].includes(word) && benches.every(({ name }) => name !== word),
  )
  if (unknown !== undefined)
    return `Unknown benchmark or option ${unknown}. Benchmarks: ${benches.map(({ name }) => name).join(', ')}; options: --short, --write.`
  const chosen = names.length === 0 ? benches : benches.filter(({ name }) => names.includes(name))
  const pace = words.includes('--short') ? 'short' : 'full'
  if (pace === 'short' && words.includes('--write'))
    return 'Results of a short run can’t be published. Leave out --write or --short.'
  return { chosen, pace, writes: words.includes('--write') }
}

/** Runs a bench; returns whether it could be measured and met its targets. */
async function perform(bench: Bench, { pace, writes }: Wish): Promise<boolean> {
  const before = load()
  console.log(`\n## ${bench.title}${pace === 'short' ? ' (short run)' : ''}\n`)
  try {
    const outcome = await bench.run(pace)
    const lines = [toTable(outcome.figures), '', ...outcome.remarks.map((remark) => `- ${remark}`)].join('\n')
    console.log(lines)
    const circumstances = `commit ${commit()}; ${new Date().toISOString().slice(0, 10)}; load before it ${before.toFixed(1)}`
    if (writes) await writeResults(bench.name, `${describeMachine()}; ${circumstances}.\n\n${lines}`)
    return outcome.figures.every(isMet)
  } catch (error) {
    if (!(error instanceof CannotMeasure)) throw error
    console.log(`Can't measure on this machine: ${error.message}`)
    return false
  }
}

const wish = parse(process.argv.slice(2))
if (typeof wish === 'string') {
  console.error(wish)
  process.exitCode = 2
} else {
  const { status } = spawnSync(process.execPath, ['tools/test/build.mjs'], { cwd: repository, stdio: 'inherit' })
  if (status !== 0) throw new Error('could not build the browser apps')
  console.log(`${describeMachine()}; load ${load().toFixed(1)}`)
  for (const bench of wish.chosen) if (!(await perform(bench, wish))) process.exitCode = 1
}
