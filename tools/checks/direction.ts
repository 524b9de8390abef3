// Who may import whom. The rules and their reasons are in .dependency-cruiser.mjs and, for circles between folders, in
// tools/checks/slice-circles.config.mjs. One process for both: the second set meets warm code and costs a third of the first.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { cruise, type IConfiguration } from 'dependency-cruiser'
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config'

const PLACES = ['contract', 'server', 'web', 'camera-simulator', 'bridge', 'tests', 'bench', 'tools']
const CONFIGS = ['.dependency-cruiser.mjs', 'tools/checks/slice-circles.config.mjs']
const there = PLACES.filter((place) => existsSync(place))
const tsConfig = extractTSConfig('tsconfig.json')

for (const config of CONFIGS) {
  const { default: given } = (await import(resolve(config))) as { readonly default: IConfiguration }
  const { options = {}, ...ruleSet } = given
  const { enhancedResolveOptions, ...rest } = options
  const cruiseOptions = { ...rest, ruleSet, validate: true, outputType: 'err-long' } as const
  const { exitCode, output } = await cruise(there, cruiseOptions, enhancedResolveOptions, { tsConfig })
  console.log(String(output).trim())
  if (exitCode !== 0) process.exitCode = 1
}
