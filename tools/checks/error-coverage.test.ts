import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { allRoutes } from '@sightline/contract/routes'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'error-coverage-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const check = (replies: readonly object[]) => {
  writeFileSync(join(folder, '1-0.jsonl'), replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''))
  const env = { ...process.env, SIGHTLINE_TEST_REPLIES: folder }
  return spawnSync(process.execPath, ['tools/checks/error-coverage.ts', '--strict'], { env, encoding: 'utf8' })
}

const route = allRoutes.find(
  ({ path, method, errors }) => path === 'users/self' && method === 'PATCH' && errors.includes('duplicate'),
)
const patch = { method: 'PATCH', url: '/rest/v2.1/users/self' }

describe('responses seen in tests', () => {
  test('a route and an error that no test saw are reported', () => {
    const { status, stderr } = check([])
    expect(status).toBe(1)
    expect(stderr).toContain(`no test saw ${route?.name}\n`)
    expect(stderr).toContain(`no test saw ${route?.name}: duplicate\n`)
    expect(stderr).toContain('no test saw catalogue: duplicate\n')
  })
  test('a response that a test saw is not a gap', () => {
    const { stderr } = check([
      { ...patch, status: 200, code: null },
      { ...patch, status: 409, code: 5 },
    ])
    expect(stderr).not.toContain(`no test saw ${route?.name}\n`)
    expect(stderr).not.toContain(`no test saw ${route?.name}: duplicate\n`)
    expect(stderr).not.toContain('no test saw catalogue: duplicate\n')
  })
  test('an error that the contract does not list for the route is a fault', () => {
    expect(check([{ ...patch, status: 409, code: 7 }]).stderr).toContain(`${route?.name} answered subscriptionLimit`)
  })
})

const SERVER = `
  import { createServer } from 'node:http'
  import { openHttp, serve } from '@sightline/platform/http'
  import { fail } from '@sightline/platform/result'
  import { allRoutes } from '@sightline/contract/routes'
  const route = { ...allRoutes.find(({ name }) => name === 'getUser'), access: 'public' }
  const served = [serve(route, async () => fail({ error: 'deviceOffline' }))]
  const http = await openHttp({ served, sessions: { find: async () => undefined }, originOf: () => ({ address: '', host: '' }), onBug: console.error })
  const server = createServer((req, res) => http.handle(req, res)).listen(0, '127.0.0.1', async () => {
    await fetch('http://127.0.0.1:' + server.address().port + '/rest/v2.4/users/self')
    server.close()
    await http.close()
  })
`

test('every test process records its routes’ responses', async () => {
  const recorder = pathToFileURL(resolve('tools/test/record-replies.mjs')).href
  const child = spawn(process.execPath, ['--input-type=module', '--eval', SERVER], {
    env: { ...process.env, NODE_OPTIONS: `--import=${recorder}`, SIGHTLINE_TEST_REPLIES: folder },
    stdio: 'inherit',
  })
  const { promise, resolve: ended } = Promise.withResolvers<number | null>()
  child.once('close', ended)
  expect(await promise).toBe(0)
  const lines = readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').trim().split('\n'))
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { method: 'GET', url: '/rest/v2.4/users/self', status: 424, code: 14 },
  ])
})
