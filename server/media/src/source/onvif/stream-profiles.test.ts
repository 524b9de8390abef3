import { expect, test } from 'vitest'
import { chooseStreams } from './stream-profiles.ts'

/** `H264 1920×1080@25 /path` */
function profile(text: string) {
  const [, encoding = '', width, height, rate, path = '', source = ''] =
    /^(\S*) (\d+)×(\d+)@(\d+) (\/\S+)(?: of (\S+))?$/.exec(text) ?? []
  const stream = { host: '192.0.2.1', port: 554, path }
  return { encoding, width: Number(width), height: Number(height), framesPerSecond: Number(rate), source, stream }
}

const choose = (...texts: readonly string[]) => {
  const chosen = chooseStreams(texts.map(profile))
  return [chosen?.main.stream.path, chosen?.sub?.stream.path]
}

test.each([
  ['the largest is main, the other is sub', ['H264 1920×1080@25 /1', 'H264 640×360@10 /2'], ['/1', '/2']],
  ['in any order', ['H264 640×360@10 /2', 'H264 1920×1080@25 /1'], ['/1', '/2']],
  [
    'the smallest that is good enough for a tile',
    ['H264 2560×1440@25 /1', 'H264 1280×720@25 /2', 'H264 640×480@15 /3'],
    ['/1', '/3'],
  ],
  [
    'not a thumbnail, if there is a better one',
    ['H264 1920×1080@25 /1', 'H264 640×480@10 /2', 'H264 176×144@10 /3'],
    ['/1', '/2'],
  ],
  ['a thumbnail, if there is nothing else', ['H264 1920×1080@25 /1', 'H264 176×144@10 /3'], ['/1', '/3']],
  ['at least five pictures a second', ['H264 1920×1080@25 /1', 'H264 640×480@1 /2', 'H264 800×600@5 /3'], ['/1', '/3']],
  ['a rate that is not said is no reason against it', ['H264 1920×1080@25 /1', 'H264 640×480@0 /2'], ['/1', '/2']],
  ['H.264 beside H.265, of the same size too', ['H265 1920×1080@25 /1', 'H264 1920×1080@25 /2'], ['/1', '/2']],
  [
    'no H.265 and no JPEG as sub',
    ['H264 1920×1080@25 /1', 'H265 640×480@25 /2', 'JPEG 640×480@25 /3'],
    ['/1', undefined],
  ],
  ['no second stream of the same size and codec', ['H264 1920×1080@25 /1', 'H264 1920×1080@25 /2'], ['/1', undefined]],
  ['no profile that is the same stream', ['H264 1920×1080@25 /1', 'H264 640×480@10 /1'], ['/1', undefined]],
  ['no picture of another lens', ['H264 1920×1080@25 /1 of front', 'H264 640×480@10 /2 of back'], ['/1', undefined]],
  ['a camera that says nothing has a main stream', [' 0×0@0 /1'], ['/1', undefined]],
  ['JPEG alone is nothing', ['JPEG 640×480@10 /1'], [undefined, undefined]],
])('%s', (_rule, profiles, expected) => {
  expect(choose(...profiles)).toEqual(expected)
})
