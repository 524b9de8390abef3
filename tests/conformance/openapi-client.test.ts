/** A client generated from our API description by an independent generator compiles and works. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import openapiTypescript, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApi, testApi } from '../../server/api/src/api-testing.ts'

/** Under node_modules, so that the client finds its package as in a separate project. */
const folder = resolve('node_modules/.cache/sightline/generated-client')

/** An integrator's program: the description types every field and parameter. */
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

/** The compiler's errors per file; both in one run, because it spends most of its time on the platform's types. */
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

test('the client compiles, and a field of the wrong type does not', () => {
  const wrong = PROGRAM.replace("{ name: 'Dock' }", '{ name: 5 }')
  const errors = compilerErrors([write('program.ts', PROGRAM), write('wrong.ts', wrong)])
  expect(errors).toEqual({ 'wrong.ts': ["Type 'number' is not assignable to type 'string'."] })
})

test('the client adds and changes a zone, reads a page of a list, and reads an error code', async () => {
  const client = (await import(pathToFileURL(write('program.ts', PROGRAM)).href)) as GeneratedClient
  const { token } = await api.addAccount()
  const base = `${api.origin}/rest/v2.4`
  expect(await client.addAndRenameZone(base, token)).toMatchObject([{ name: expect.any(String) }])
  expect((await api.call(token, 'GET zones')).body).toContainEqual(
    expect.objectContaining({ name: 'Dock', timeZone: 'America/Chicago' }),
  )
  expect(await client.readErrorCode(base, token)).toBe(4)
})
