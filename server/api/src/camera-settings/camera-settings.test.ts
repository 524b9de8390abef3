import type { CameraCommandAnswer, CameraCommandQuestion } from '@sightline/contract/media-plane'
import type { Right } from '@sightline/contract/rights'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { answeringCameras, settableCameras, settableVideo } from '../media-testing.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { cameraSettings } from './index.ts'

let api: TestApi
const asked: CameraCommandQuestion['name'][] = []
/** Of the next command; undefined: the camera does what it is told. */
let failure: Exclude<CameraCommandAnswer, { kind: 'done' }>['kind'] | undefined
beforeAll(async () => {
  const cameras = settableCameras()
  api = await testApi({
    slices: [cameraSettings],
    media: {
      command: async (question) => {
        asked.push(question.name)
        const kind = failure
        return kind === undefined ? await cameras(question) : await answeringCameras(() => ({ kind }))(question)
      },
    },
  })
})
afterAll(() => api[Symbol.asyncDispose]())
beforeEach(() => {
  failure = undefined
  asked.length = 0
})

async function oneCamera() {
  const { accountId, token, zoneId } = await api.addAccount()
  const cameraId = await api.addCamera(accountId, zoneId, 'Door')
  const path = `cameras/${cameraId}/settings/video`
  const patch = (body: object, as = token, headers = {}) => api.call(as, `PATCH ${path}`, body, headers)
  const withRights = async (...rights: Right[]) =>
    (await api.addSubUser(accountId, { rights: ['CameraView', ...rights], allCameras: true })).token
  const log = () => api.owner.plain.selectFrom('audit_log').selectAll().where('account_id', '=', accountId).execute()
  return { accountId, cameraId, token, path, patch, withRights, log, get: (as = token) => api.call(as, `GET ${path}`) }
}

test('settings are what the camera says, with what it can be set to', async () => {
  const { get } = await oneCamera()
  expect(await get()).toMatchObject({ status: 200, body: settableVideo })
})

test('a change is read from the camera again, and only what was changed is in the audit log', async () => {
  const { cameraId, patch, get, log } = await oneCamera()
  expect(await patch({ framesPerSecond: 12, backlight: 'WDR' })).toMatchObject({
    status: 200,
    body: { framesPerSecond: 12, backlight: 'WDR', resolution: '1920x1080' },
  })
  expect(asked).toEqual(['readVideoSettings', 'writeVideoSettings'])
  expect((await get()).body).toMatchObject({ framesPerSecond: 12, backlight: 'WDR' })
  expect(await log()).toMatchObject([
    {
      action: 'patchVideoSettings',
      target_id: cameraId,
      before: { framesPerSecond: 25, backlight: 'off' },
      after: { framesPerSecond: 12, backlight: 'WDR' },
    },
  ])
})

test('a lamp is in the audit log with what it was told', async () => {
  const { patch, log } = await oneCamera()
  expect(await patch({ illumination: 'on' })).toMatchObject({ status: 200 })
  expect(await log()).toMatchObject([{ after: { illumination: 'on' } }])
})

describe('a value is refused before the camera hears of it', () => {
  test.each([
    ['a number above the most', { framesPerSecond: 31 }, 'framesPerSecond: expected a number from 1 to 30'],
    ['a number below the least', { maxBandwidth: 10 }, 'maxBandwidth: expected a number from 64 to 8192'],
    ['a choice that is not offered', { rotateImage: 90 }, 'rotateImage: expected one of 0, 180'],
    ['a resolution that is not offered', { resolution: '640x480' }, 'resolution: expected one of 1920x1080, 1280x720'],
    ['HLC, which ONVIF has not', { backlight: 'HLC' }, 'backlight: expected one of off, BLC, WDR'],
  ])('%s', async (_, body, detail) => {
    const { patch } = await oneCamera()
    expect(await patch(body)).toMatchObject({ status: 400, body: { code: 3, detail } })
    expect(asked).toEqual(['readVideoSettings'])
  })

  test.each([
    ['no frame rate', { framesPerSecond: null }],
    ['an empty frame rate', { framesPerSecond: '' }],
    ['a text for a number', { maxBandwidth: 'much' }],
    ['a word that nobody knows', { dayNight: 'dusk' }],
  ])('%s', async (_, body) => {
    const { patch } = await oneCamera()
    expect(await patch(body)).toMatchObject({ status: 400, body: { code: 3 } })
    expect(asked).toEqual([])
  })

  test('a setting that the camera lacks is code 11', async () => {
    const { patch } = await oneCamera()
    expect(await patch({ antiFlicker: '50' })).toMatchObject({ status: 422, body: { code: 11 } })
    expect(asked).toEqual(['readVideoSettings'])
  })
})

describe('rights', () => {
  const byRight = {
    editCamera: { framesPerSecond: 12 },
    cameraExposureControl: { backlight: 'WDR' },
    cameraIllumination: { illumination: 'on' },
  } as const
  const rights = ['editCamera', 'cameraExposureControl', 'cameraIllumination'] as const

  test.each(rights)('%s alone changes its own settings and no others', async (right) => {
    const { patch, get, withRights } = await oneCamera()
    const token = await withRights(right)
    expect(await get(token)).toMatchObject({ status: 200 })
    for (const of of rights) expect(await patch(byRight[of], token)).toMatchObject({ status: of === right ? 200 : 403 })
    const all = { ...byRight.editCamera, ...byRight.cameraExposureControl }
    expect(await patch(all, token)).toMatchObject({ status: 403, body: { code: 9 } })
  })

  test('without any of them settings are read and not changed, and the camera isn’t asked to', async () => {
    const { patch, get, withRights } = await oneCamera()
    const token = await withRights('ptz')
    expect(await get(token)).toMatchObject({ status: 200 })
    expect(await patch({}, token)).toMatchObject({ status: 403 })
    expect(asked).toEqual(['readVideoSettings'])
  })

  test('a camera of another account looks like none', async () => {
    const { path } = await oneCamera()
    const other = await api.addAccount()
    expect(await api.call(other.token, `GET ${path}`)).toMatchObject({ status: 404 })
    expect(await api.call(other.token, `PATCH ${path}`, { framesPerSecond: 12 })).toMatchObject({ status: 404 })
    expect(asked).toEqual([])
  })
})

test.each([
  ['unsupported', 422, 11],
  ['noOnvif', 422, 11],
  ['credentialsIncorrect', 424, 12],
  ['rejected', 424, 13],
  ['cameraOffline', 424, 18],
  ['timedOut', 504, 19],
] as const)(
  'a camera that can’t be read or set (%s) is an error, and not in the audit log',
  async (kind, status, code) => {
    const { patch, get, log } = await oneCamera()
    failure = kind
    expect(await get()).toMatchObject({ status, body: { code } })
    expect(await patch({ framesPerSecond: 12 })).toMatchObject({ status, body: { code } })
    expect(await log()).toEqual([])
  },
)
