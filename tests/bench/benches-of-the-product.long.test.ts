import { expect, test } from 'vitest'
import { cameraList } from '../../bench/camera-list/camera-list.ts'
import { directMp4 } from '../../bench/direct-mp4/direct-mp4.ts'
import { events } from '../../bench/events/events.ts'
import { faults } from '../../bench/faults/faults.ts'
import { type Bench, toTable } from '../../bench/figure.ts'
import { firstLoad } from '../../bench/first-load/first-load.ts'
import { live } from '../../bench/live/live.ts'
import { motion } from '../../bench/motion/motion.ts'
import { multiview } from '../../bench/multiview/multiview.ts'
import { people } from '../../bench/people/people.ts'
import { manyCameras } from '../../bench/recorder/many-cameras.ts'
import { recorder } from '../../bench/recorder/recorder.ts'
import { seeking } from '../../bench/seeking/seeking.ts'
import { signInBench } from '../../bench/sign-in/sign-in.ts'
import { startUpBench } from '../../bench/start-up/start-up.ts'
import { timeline } from '../../bench/timeline/timeline.ts'
import { viewers } from '../../bench/viewers/viewers.ts'

/** Each starts whole products and takes half a minute or more; the lighter ones are in short-benches.long.test.ts. */
const benches: readonly Bench[] = [
  recorder,
  manyCameras,
  faults,
  people,
  timeline,
  events,
  motion,
  live,
  multiview,
  seeking,
  cameraList,
  directMp4,
  viewers,
  signInBench,
  firstLoad,
  startUpBench,
]

test.each(benches)('$name: the short bench completes and has figures', async (bench) => {
  const { figures } = await bench.run('short')
  const rows = toTable(figures).split('\n').slice(2)
  expect(rows).toHaveLength(figures.length)
  expect(rows.length).toBeGreaterThan(0)
  for (const { what, ours } of figures) expect([what, Number.isFinite(ours)]).toEqual([what, true])
})
