import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseRtspAddress, type RtspAddress, resolveControl, rtspUrl } from './rtsp-address.ts'

const base: RtspAddress = { host: '192.168.1.20', port: 554, path: '/live' }

describe('an address', () => {
  test.each([
    ['rtsp://192.168.1.20/live', base],
    ['rtsp://cam.example:8554/a/b?x=1&y=2', { host: 'cam.example', port: 8554, path: '/a/b?x=1&y=2' }],
    ['rtsp://[2001:db8::1]/', { host: '2001:db8::1', port: 554, path: '/' }],
    ['rtsp://cam', { host: 'cam', port: 554, path: '/' }],
  ])('%s is parsed', (text, expected) => {
    expect(parseRtspAddress(text)).toEqual({ ok: true, value: expected })
  })

  test.each([
    ['http://cam/'],
    ['rtsp://user:secret@cam/'],
    ['rtsp://user@cam/'],
    ['rtsp:///path'],
    ['cam/live'],
    [''],
    ['rtsp://cam/a b'],
    ['rtsp://cam/\r\nX: y'],
    [`rtsp://cam/${'x'.repeat(3000)}`],
  ])('%s is refused, and none of it is repeated', (text) => {
    const parsed = parseRtspAddress(text)
    expect(parsed).toMatchObject({ ok: false, failure: { kind: 'addressRefused' } })
    expect(JSON.stringify(parsed)).not.toContain('secret')
  })

  test('is written as it was parsed', () => {
    for (const text of ['rtsp://192.168.1.20/live', 'rtsp://cam.example:8554/a?x=1', 'rtsp://[2001:db8::1]:8554/']) {
      const parsed = parseRtspAddress(text)
      expect(parsed.ok && rtspUrl(parsed.value)).toBe(text)
    }
  })
})

describe('a control attribute', () => {
  test.each([
    ['*', '/live'],
    ['', '/live'],
    ['trackID=1', '/live/trackID=1'],
    ['/trackID=1', '/live/trackID=1'],
    ['rtsp://192.168.1.20/live/trackID=1', '/live/trackID=1'],
    ['rtsp://10.0.0.1:9999/other/track', '/other/track'],
    ['RTSP://evil.example', '/'],
    ['rtsp://user:secret@evil.example/x', '/x'],
    ['rtsp://evil.example?x', '/?x'],
  ])('%s means %s on the same host', (control, path) => {
    expect(resolveControl(base, control)).toEqual({ ok: true, value: { ...base, path } })
  })

  test('is appended even after a slash or a query', () => {
    expect(resolveControl({ ...base, path: '/live/' }, 'track1')).toMatchObject({ value: { path: '/live/track1' } })
    expect(resolveControl({ ...base, path: '/live?x=1' }, 'track1')).toMatchObject({
      value: { path: '/live?x=1/track1' },
    })
  })

  test('of any text stays on the host and in one line, or is refused', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `rtsp://${text}`),
        ),
        (control) => {
          const resolved = resolveControl(base, control)
          if (!resolved.ok) return
          expect(rtspUrl(resolved.value)).toMatch(/^rtsp:\/\/192\.168\.1\.20\/[\x21-\x7e]*$/)
        },
      ),
      { numRuns: 2000, seed: 1 },
    )
  })
})
