/** Cameras in a network that only a machine with media workers is in: found there, and recorded from there (docs/decisions/0132). */
import type { CameraDiscovery, FoundCamera } from '@sightline/contract/camera-discovery'
import type { Camera } from '@sightline/contract/cameras'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { forkSimulator, launchSimulator, type SimulatorProcess } from '../../camera-simulator/src/launch.ts'
import { sceneClips } from '../../camera-simulator/src/scene-clips.ts'
import { findOwner } from '../../server/media/src/control/assignment.ts'
import { callApi, fetchToken } from '../signed-in.ts'
import { type ApiCaller, listStatuses, until } from './demo-cameras.ts'
import { type Front, type Machine, startFront } from './machines.ts'
import { type NetworkNamespace, namespaceProblem, openNetworkNamespace } from './network-namespaces.ts'
import { watchLive } from './viewer.ts'

const problem = namespaceProblem()
const LAN = '172.29.113.0/28'
const CAMERAS = 4
const CREDENTIALS = { username: 'viewer', password: 'only in a namespace' }

describe.skipIf(problem !== undefined)(
  `cameras behind a machine${problem === undefined ? '' : ` (${problem})`}`,
  () => {
    let site: NetworkNamespace
    let lan: NetworkNamespace
    let front: Front
    let machine: Machine
    let simulator: SimulatorProcess
    let caller: ApiCaller

    beforeAll(async () => {
      site = openNetworkNamespace()
      lan = openNetworkNamespace()
      site.join(lan, ['172.29.113.1/28', '172.29.113.5/28'])
      const clips = await sceneClips('car-park')
      const cameras = Array.from({ length: CAMERAS }, (_, at) => ({
        name: `Dock ${at}`,
        mac: `02:00:00:00:71:0${at}`,
        ...CREDENTIALS,
        clips,
      }))
      const address = '172.29.113.5'
      simulator = await launchSimulator(
        { host: address, discovery: { interfaceAddress: address }, cameras },
        forkSimulator({ under: lan.under }),
      )
      front = await startFront({}, { cameras: false, listenHost: site.hostAddress })
      caller = { origin: front.product.origin, token: await fetchToken(front.product.origin, 'owner@demo.example') }
      machine = front.startMachine(await front.addMachine('north'), settings())
      await until('the machine has joined', async () => (await workers()).includes('north-1')).catch(
        (cause: unknown) => {
          throw new Error(`${machine.output()}\n${front.product.output()}`, { cause })
        },
      )
    })
    afterAll(async () => {
      for (const each of [machine, front, simulator]) await each?.[Symbol.asyncDispose]()
      for (const each of [site, lan]) each?.[Symbol.dispose]()
    })

    const settings = () => ({
      under: site.under,
      environment: { SIGHTLINE_FRONT: `${site.hostAddress}:${front.workerPort}`, SIGHTLINE_CAMERA_NETWORKS: LAN },
    })
    const workers = async (): Promise<readonly string[]> =>
      (await front.database.db.plain.selectFrom('media_workers').select('worker_id').execute()).map(
        (row) => row.worker_id,
      )
    const call = <T>(request: string, body?: unknown) => callApi<T>(caller.origin, caller.token, request, body)
    const owners = async (): Promise<ReadonlyMap<number, string>> => {
      const { plain } = front.database.db
      const rows = await plain.selectFrom('camera_leases').select(['camera_id', 'worker_id']).execute()
      return new Map(rows.map((row) => [row.camera_id, row.worker_id]))
    }
    /** A search to its end. */
    async function search(body: { readonly network?: string }): Promise<readonly FoundCamera[]> {
      // The machine may have joined in the database before its link stands.
      await until('it begins', async () => {
        const { status, body: begun } = await call<CameraDiscovery>('POST cameras/discovery', body)
        if (status === 200 && begun.networks.includes(LAN)) return true
        await until(
          'it ends',
          async () => (await call<CameraDiscovery>('GET cameras/discovery')).body.state !== 'running',
        )
        return false
      })
      return await until('it ends', async () => {
        const { body: state } = await call<CameraDiscovery>('GET cameras/discovery')
        // The front finds what answers on this machine's loopback: cameras of other tests.
        return state.state === 'done' && state.cameras.filter(({ address }) => !address.startsWith('127.'))
      })
    }

    test('cameras that announce themselves there are found, and the result says by which machine', async () => {
      const cameras = await search({})
      const found = cameras.map(({ ethMacAddress, address, machines }) => ({ ethMacAddress, address, machines }))
      const expected = simulator.cameras.map(({ mac }) => ({
        ethMacAddress: mac,
        address: '172.29.113.5',
        machines: ['north'],
      }))
      expect(found.toSorted((a, b) => a.ethMacAddress.localeCompare(b.ethMacAddress))).toEqual(expected)
    })

    test('each address of its network is asked from there', async () => {
      const cameras = await search({ network: '172.29.113.4/31' })
      expect(cameras.map(({ ethMacAddress }) => ethMacAddress).toSorted()).toEqual(
        simulator.cameras.map(({ mac }) => mac),
      )
    })

    test('cameras that are added with the machine that found them are recorded there, whatever their hash, and shown through the front', async () => {
      const cameras = await search({})
      const rows = cameras.map(({ name, address, port, machines }) => ({
        name,
        address,
        port,
        machines,
        ...CREDENTIALS,
      }))
      const [{ zoneId = 0 } = {}] = (await call<{ zoneId: number }[]>('GET zones')).body
      const added = await call<{ camera: Camera | null }[]>('POST cameras/batch', { zoneId, cameras: rows })
      const ids = added.body.flatMap(({ camera }) => camera?.cameraId ?? [])
      expect(ids).toHaveLength(CAMERAS)
      await until('all are recorded', async () => {
        const statuses = (await listStatuses(caller)).filter(({ cameraId }) => ids.includes(cameraId))
        return statuses.length === CAMERAS && statuses.every(({ recordingOnCloud }) => recordingOnCloud)
      })
      const found = await owners()
      expect(ids.map((id) => found.get(id))).toEqual(ids.map(() => 'north-1'))
      // Without the machines, the front would have had some of them, and could not have reached them.
      expect(ids.map((id) => findOwner(id, ['media-1', 'north-1']))).toContain('media-1')
      for (const cameraId of ids) {
        await using viewer = await watchLive(caller.origin, caller.token, cameraId)
        await expect.poll(() => viewer.pictures.length, { timeout: 15_000 }).toBeGreaterThan(3)
      }
    })

    test('while the machine is away another one tries, and when it is back it records them again', async () => {
      const ids = [...(await owners()).keys()]
      machine.process.kill('SIGTERM')
      await machine.ended
      await until('the front has them', async () => {
        const found = await owners()
        return ids.every((id) => found.get(id) === 'media-1')
      })
      await until('it says that it can’t reach them', async () => {
        const statuses = (await listStatuses(caller)).filter(({ cameraId }) => ids.includes(cameraId))
        return (
          statuses.length === ids.length &&
          statuses.every(({ online, recordingOnCloud }) => !online && !recordingOnCloud)
        )
      })
      machine = front.startMachine(machine.dataFolder, settings())
      await until('they are recorded there again', async () => {
        const found = await owners()
        const statuses = (await listStatuses(caller)).filter(({ cameraId }) => ids.includes(cameraId))
        return (
          ids.every((id) => found.get(id) === 'north-1') && statuses.every(({ recordingOnCloud }) => recordingOnCloud)
        )
      })
    })
  },
)
