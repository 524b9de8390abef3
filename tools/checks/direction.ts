// Who may import whom. The rules and their reasons are in .dependency-cruiser.mjs.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { skip } from './verdict.ts'

const PLACES = ['contract', 'server', 'web', 'camera-simulator', 'bridge', 'tests', 'bench', 'tools']
const there = PLACES.filter((place) => existsSync(place))
if (there.length === 0) skip('there is no code yet')
else {
  const { status } = spawnSync(
    'node_modules/.bin/depcruise',
    [...there, '--config', '.dependency-cruiser.mjs', '--output-type', 'err-long'],
    { stdio: 'inherit' },
  )
  process.exitCode = status === 0 ? 0 : 1
}
