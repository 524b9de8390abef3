// Who may import whom. The rules and their reasons are in .dependency-cruiser.mjs and, for circles between folders, in
// tools/checks/slice-circles.config.mjs.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'

const PLACES = ['contract', 'server', 'web', 'camera-simulator', 'bridge', 'tests', 'bench', 'tools']
const there = PLACES.filter((place) => existsSync(place))

function cruise(config: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const words = [...there, '--config', config, '--output-type', 'err-long']
  const child = spawn('node_modules/.bin/depcruise', words, { stdio: 'inherit' })
  child.once('error', reject)
  child.once('close', (code) => resolve(code ?? 1))
  return promise
}

const codes = await Promise.all(['.dependency-cruiser.mjs', 'tools/checks/slice-circles.config.mjs'].map(cruise))
if (codes.some((code) => code !== 0)) process.exitCode = 1
