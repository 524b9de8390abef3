import { expect, test } from 'vitest'
import { cameraAddressProblem } from './rules.ts'

const full = '2001:db8:0:0:0:0:0:1'

test.each(['192.168.1.64', 'camera.example', 'door', '::1', 'fd00::7', full, '::ffff:192.168.1.64', 'fe80::'])(
  '%s is the address of a camera',
  (text) => {
    expect(cameraAddressProblem(text)).toBeUndefined()
  },
)

test.each([
  '192.168.1.64:8080',
  '192.168.1.264',
  '1.2.3',
  'camera.example:80',
  ':',
  '::1::',
  'fd00:7',
  '12345::1',
  `${full}:2`,
  '192.168.1.64::',
  'rtsp://192.168.1.64',
  'not a host',
])('%s is none', (text) => {
  expect(cameraAddressProblem(text)).toBeTypeOf('string')
})
