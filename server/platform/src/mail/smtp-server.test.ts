import { expect, test } from 'vitest'
import { parseSmtpServer } from './index.ts'

test.each([
  ['smtps://mail.example', { host: 'mail.example', port: 465, security: 'tls', login: undefined }],
  ['smtp://mail.example', { host: 'mail.example', port: 587, security: 'starttls', login: undefined }],
  ['smtp://mail.example:25?tls=off', { host: 'mail.example', port: 25, security: 'off', login: undefined }],
  ['smtp://127.0.0.1:1025', { host: '127.0.0.1', port: 1025, security: 'off', login: undefined }],
  ['smtp://localhost:25?tls=on', { host: 'localhost', port: 25, security: 'starttls', login: undefined }],
  ['smtp://[::1]:25', { host: '::1', port: 25, security: 'off', login: undefined }],
  [
    'smtps://me%40a.example:p%3Aw%2F@mail.example:2465/',
    { host: 'mail.example', port: 2465, security: 'tls', login: { user: 'me@a.example', password: 'p:w/' } },
  ],
])('%s is parsed, and other machines need encryption unless it is turned off', (text, server) => {
  expect(parseSmtpServer(text)).toEqual(server)
})

test.each([
  'mail.example',
  'http://mail.example',
  'smtp://',
  'smtp://mail.example/box',
  'smtp://mail.example?tls=maybe',
  'smtp://mail.example?secure=no',
  'smtps://mail.example?tls=off',
  'smtp://user@mail.example',
  'smtp://u:%ZZ@mail.example',
  'smtp://mail.example:0',
])('%s is refused', (text) => {
  expect(parseSmtpServer(text)).toBeUndefined()
})
