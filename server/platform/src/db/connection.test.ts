import { expect, test } from 'vitest'
import { clientConfig, type DatabaseConnection, restrictRole, withDatabase } from './connection.ts'

const external: DatabaseConnection = {
  kind: 'url',
  url: 'postgres://boss:s%2Fecret@db.example:6432/sightline?sslmode=verify-full',
  passwords: { app: 'a#/?%@', auth: 'b', media: 'c', sealer: 'd', alerts: 'e', eraser: 'f', jobs: 'g' },
}

test('a plane connects to the operator’s database with its own role and password and the operator’s other settings', () => {
  const { connectionString } = clientConfig(external, 'app')
  const url = new URL(connectionString ?? '')
  expect(url.username).toBe('sightline_app')
  expect(decodeURIComponent(url.password)).toBe('a#/?%@')
  expect(`${url.host}${url.pathname}${url.search}`).toBe('db.example:6432/sightline?sslmode=verify-full')
})

test('a process for one role doesn’t get the password of the owner or another role', () => {
  const restricted = restrictRole(external, 'media')
  expect(JSON.stringify(restricted)).not.toMatch(/secret|boss|"a#|"b"/i)
  expect(clientConfig(restricted, 'media')).toEqual(clientConfig(external, 'media'))
})

test('the owner connects with the operator’s URL', () => {
  expect(clientConfig(external, 'owner')).toEqual({ connectionString: external.url })
})

test('another database on the same server keeps all other settings', () => {
  const other = withDatabase(external, 'other')
  expect(other.kind === 'url' && new URL(other.url).pathname).toBe('/other')
})
