import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { connect as connectSecurely } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { forkSimulator, launchSimulator } from './launch.ts'
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

test('a simulator ends with its parent, also while connections are cut off', async () => {
  const child = forkSimulator()
  onTestFinished(() => void child.kill('SIGKILL'))
  const { cameras, ended } = await launchSimulator({ cameras: [testCamera] }, child)
  const [camera] = cameras
  const ports = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? camera?.rtspPort : camera?.onvifPort) ?? 0)
  const sockets = ports.map((port, index) => {
    const socket = index % 3 === 0 ? connectSecurely({ port, host: '127.0.0.1' }) : connect(port, '127.0.0.1')
    return socket.on('error', () => undefined).on('connect', () => socket.write(new Uint8Array(20_000)))
  })
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))))
  child.disconnect()
  for (const socket of sockets) socket.destroy()
  expect(await ended).toBe(0)
})
