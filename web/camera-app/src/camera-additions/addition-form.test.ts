import { describe, expect, test } from 'vitest'
import { additionBody, additionRules, emptyAddition, parseStreamAddress } from './addition-form.ts'

const filled = { ...emptyAddition('7'), name: ' Front door ', address: ' 192.168.1.64 ' }

describe('the request', () => {
  test('leaves out what is empty: the server uses the usual ports', () => {
    expect(additionBody(filled)).toEqual({ name: 'Front door', zoneId: 7, address: '192.168.1.64' })
  })

  test('has a password only with a user name, and does not trim it', () => {
    expect(additionBody({ ...filled, password: ' a ' })).not.toHaveProperty('password')
    expect(additionBody({ ...filled, username: 'admin', password: ' a ' })).toMatchObject({
      username: 'admin',
      password: ' a ',
    })
  })

  test('has port and path as typed', () => {
    expect(additionBody({ ...filled, port: '8554', streamPath: ' /main ' })).toMatchObject({
      port: 8554,
      streamPath: '/main',
    })
  })
})

test('the password is sent in plain text only if that was ticked', () => {
  expect(additionBody({ ...filled, allowBasic: 'yes' })).toMatchObject({ allowBasic: true })
  expect(additionBody(filled)).not.toHaveProperty('allowBasic')
})

test('a sub-stream needs the path of a stream; encryption is never left out silently', () => {
  const body = additionBody({ ...filled, https: 'yes', subStreamPath: '/small' })
  expect(body).toMatchObject({ https: true })
  expect(body).not.toHaveProperty('subStreamPath')
})

describe('a pasted rtsp address', () => {
  test('fills the fields of its parts', () => {
    expect(parseStreamAddress('rtsp://admin:p%40ss@192.168.1.64:8554/Streaming/101?profile=1')).toEqual({
      address: '192.168.1.64',
      port: '8554',
      streamPath: '/Streaming/101?profile=1',
      username: 'admin',
      password: 'p@ss',
    })
  })

  test('without a port and a user names only the path', () => {
    expect(parseStreamAddress('RTSP://camera.example/live')).toEqual({
      address: 'camera.example',
      port: '',
      streamPath: '/live',
    })
    expect(parseStreamAddress('rtsp://[fd00::7]:80/live')).toMatchObject({ address: 'fd00::7', port: '80' })
  })

  test('with rtsps is encrypted', () => {
    const parts = parseStreamAddress('rtsps://192.168.1.64/live')
    expect(parts).toMatchObject({ address: '192.168.1.64', port: '', streamPath: '/live', https: 'yes' })
    expect(additionBody({ ...filled, ...parts, subStreamPath: ' /small' })).toMatchObject({
      https: true,
      streamPath: '/live',
      subStreamPath: '/small',
    })
  })

  test('other texts are left as they are', () => {
    expect(parseStreamAddress('192.168.1.64')).toBeUndefined()
    expect(parseStreamAddress('rtsp://')).toBeUndefined()
  })
})

test('an IPv6 address may have its brackets, and a port is entered in its own field', () => {
  expect(additionRules.address('[fd00::7]')).toBeUndefined()
  expect(additionRules.address('192.168.1.64:8080')).toBeTypeOf('string')
})
