/** A client generated from our own description, by a generator that knows nothing of us, compiles and works. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import openapiTypescript, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApi, testApi } from '../../server/api/src/api-testing.ts'

/** Below node_modules, so that the client finds its package as in a project of its own. */
const folder = resolve('node_modules/.cache/sightline/generated-client')

/** As an integrator would write it: every field and parameter typed by the description. */
const PROGRAM = `
import createClient from 'openapi-fetch'
import type { components, paths } from './schema.ts'

type Zone = components['schemas']['Zone']

export async function addAndRenameZone(baseUrl: string, token: string): Promise<Zone[]> {
  const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${token}\` } })
  const added = await client.POST('/zones', { body: { name: 'Loading dock', timeZone: 'America/Chicago' } })
  if (added.data === undefined) throw new Error('not added: ' + JSON.stringify(added.error))
  const zoneId: number = added.data.zoneId
  const renamed = await client.PATCH('/zones/{zoneId}', { params: { path: { zoneId } }, body: { name: 'Dock' } })
  if (renamed.data === undefined) throw new Error('not renamed: ' + JSON.stringify(renamed.error))
  const listed = await client.GET('/zones', { params: { query: { sort: '-name', limit: 1 } } })
  return listed.data ?? []
}

export async function readErrorCode(baseUrl: string, token: string): Promise<number | undefined> {
  const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${token}\` } })
  const { error } = await client.GET('/cameras/{cameraId}', { params: { path: { cameraId: 1 } } })
  return error !== undefined && 'code' in error ? error.code : undefined
}
`

interface GeneratedClient {
  addAndRenameZone(baseUrl: string, token: string): Promise<{ name: string; timeZone?: string | null }[]>
  readErrorCode(baseUrl: string, token: string): Promise<number | undefined>
}

let api: TestApi
beforeAll(async () => {
  api = await testApi()
  mkdirSync(folder, { recursive: true })
  const served = await api.call(undefined, 'GET openapi.json')
  writeFileSync(join(folder, 'schema.ts'), astToString(await openapiTypescript(served.body)))
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

/** What the compiler says, by file; both in one run, because most of its time goes into the types of the platform. */
function compilerErrors(files: readonly string[]): Readonly<Record<string, string[]>> {
  const program = ts.createProgram(files, {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2024,
    allowImportingTsExtensions: true,
    exactOptionalPropertyTypes: true,
    types: [],
  })
  const found = Map.groupBy(ts.getPreEmitDiagnostics(program), ({ file }) => file?.fileName ?? 'options')
  const texts = [...found].map(([file, errors]) => [
    basename(file),
    errors.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ')),
  ])
  return Object.fromEntries(texts)
}

const write = (name: string, text: string): string => {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

test('it compiles, and a field of another type than described does not', () => {
  const wrong = PROGRAM.replace("{ name: 'Dock' }", '{ name: 5 }')
  const errors = compilerErrors([write('program.ts', PROGRAM), write('wrong.ts', wrong)])
  expect(errors).toEqual({ 'wrong.ts': ["Type 'number' is not assignable to type 'string'."] })
})

test('it adds a zone, changes it, reads a page of the list, and reads the code of an error', async () => {
  const client = (await import(pathToFileURL(write('program.ts', PROGRAM)).href)) as GeneratedClient
  const { token } = await api.addAccount()
  const base = `${api.origin}/rest/v2.4`
  expect(await client.addAndRenameZone(base, token)).toMatchObject([{ name: expect.any(String) }])
  expect((await api.call(token, 'GET zones')).body).toContainEqual(
    expect.objectContaining({ name: 'Dock', timeZone: 'America/Chicago' }),
  )
  expect(await client.readErrorCode(base, token)).toBe(4)
})
