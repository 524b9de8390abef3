import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { launchSimulator } from './launch.ts'
import { testCamera } from './testing/clips.ts'
import { RtspTestClient } from './testing/viewer.ts'

test('a launched simulator reports its ports, obeys faults, and stops on request', async () => {
  const simulator = await launchSimulator({ cameras: [testCamera] })
  const [camera] = simulator.cameras
  expect(camera).toMatchObject({ name: testCamera.name, mac: testCamera.mac, host: '127.0.0.1' })
  const viewer = await RtspTestClient.watching(camera?.rtspPort ?? 0, '/sub', testCamera)
  await simulator.fault(testCamera.mac, { kind: 'refuse' })
  await viewer.until(() => viewer.closedBy === 'reset', 'the end')
  await simulator.heal(testCamera.mac)
  const again = await RtspTestClient.watching(camera?.rtspPort ?? 0, '/sub', testCamera)
  await expect(simulator.heal('02:00:00:00:00:99')).rejects.toThrow('no camera has the MAC address 02:00:00:00:00:99')
  await simulator.stop()
  expect(await simulator.ended).toBe(0)
  await again.until(() => again.closedBy !== 'nothing', 'the end')
})

test('a failed start says why and leaves no process behind', async () => {
  const clips = { ...testCamera.clips, main: { path: '/nowhere/main.h264', framesPerSecond: 25 } }
  await expect(launchSimulator({ cameras: [{ ...testCamera, clips }] })).rejects.toThrow(
    /no such file.*\/nowhere\/main\.h264/,
  )
})

test('the simulator also reads commands as lines from standard input, and stops when the input ends', async () => {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./main.ts', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  child.stdin.write(`${JSON.stringify({ kind: 'start', request: 1, settings: { cameras: [testCamera] } })}\n`)
  const ready = JSON.parse((await answers.next()).value ?? '')
  expect(ready).toMatchObject({ kind: 'ready', request: 1 })
  const viewer = await RtspTestClient.connect(ready.cameras[0].rtspPort)
  viewer.close()
  child.stdin.write('nonsense\n')
  expect(JSON.parse((await answers.next()).value ?? '')).toMatchObject({ kind: 'failed', request: -1 })
  child.stdin.end()
  expect((await exited)[0]).toBe(0)
})
