import { resolve } from 'node:path'
import type { PlantedViolation } from './planted.ts'

/** Adds `to` and lets `from` import it; `rule` of .dependency-cruiser.mjs must report `from`. */
function edge(rule: string, from: string, to: string): PlantedViolation {
  const up = from
    .split('/')
    .slice(0, -1)
    .map(() => '..')
  return {
    check: 'direction',
    rule,
    names: from,
    files: {
      [to]: 'export const planted = 1\n',
      [from]: `import { planted } from '${up.join('/')}/${to}'\nexport const usesPlanted = planted\n`,
    },
  }
}

/** `from` imports `specifier` literally: a package, or an existing file. */
const imports = (rule: string, from: string, specifier: string): PlantedViolation => ({
  check: 'direction',
  rule,
  names: from,
  files: { [from]: `import '${specifier}'\n` },
})

interface Cruiser {
  readonly mediaMayUse: Readonly<Record<string, readonly string[]>>
  readonly authFloors: readonly string[]
  readonly default: { readonly forbidden: readonly { readonly name: string }[] }
}

const { mediaMayUse, authFloors, default: cruiser } = (await import(resolve('.dependency-cruiser.mjs'))) as Cruiser

const { default: circles } = (await import(resolve('tools/checks/slice-circles.config.mjs'))) as Pick<
  Cruiser,
  'default'
>

/** Names of all rules; each must have a violation below. */
export const directionRules: readonly string[] = [...cruiser.forbidden, ...circles.forbidden].map(({ name }) => name)

/** For each restricted step of the pipeline, a step that it must not import. */
const mediaSteps = Object.entries(mediaMayUse).flatMap(([step, may]) => {
  const forbidden = Object.keys(mediaMayUse).find((other) => other !== step && !may.includes(other))
  const rule = `media-${step}-leans-on-${may.join('-') || 'nothing'}`
  return forbidden === undefined ? [] : [{ rule, step, forbidden }]
})

/** Of each floor of the authorization server a room that leans on the floor above; of the highest one, on what puts them together. */
const floors = authFloors.map((floor, i) => {
  const above = authFloors[i + 1]
  const to = above === undefined ? 'planted-top.ts' : `${above}/planted-floor/index.ts`
  const from = `server/auth/src/${floor}/planted-low/index.ts`
  return edge(`auth-${floor}-leans-on-lower-floors`, from, `server/auth/src/${to}`)
})

/** One violation of each rule of .dependency-cruiser.mjs. */
export const plantedDirection: readonly PlantedViolation[] = [
  imports('contract-is-a-leaf', 'contract/src/planted-leaf/index.ts', 'node:fs'),
  imports('browser-pays-for-zod-mini-only', 'contract/src/planted-zod/index.ts', 'zod'),
  edge(
    'browser-and-server-meet-in-contract',
    'web/client/src/planted-server.ts',
    'server/platform/src/planted-a/index.ts',
  ),
  edge('server-knows-no-browser', 'server/edge/src/planted-browser.ts', 'web/kit/src/planted-a.ts'),
  edge('planes-meet-in-run', 'server/auth/src/planted-a/planes.ts', 'server/api/src/planted-a/index.ts'),
  edge('run-is-the-top', 'server/edge/src/planted-run.ts', 'server/run/compose/planted-a.ts'),
  edge('programs-are-the-top-of-run', 'server/run/demo/planted-program.ts', 'server/run/programs/planted-a.ts'),
  edge('composition-knows-no-demonstration', 'server/run/compose/planted-demo.ts', 'server/run/demo/planted-a.ts'),
  edge('platform-knows-no-feature', 'server/platform/src/planted-b/index.ts', 'server/api/src/planted-b/index.ts'),
  imports('no-hidden-context', 'server/platform/src/http/planted-context.ts', 'node:async_hooks'),
  edge('simulator-knows-no-product', 'camera-simulator/src/planted-product.ts', 'contract/src/planted-a/index.ts'),
  edge(
    'product-knows-no-simulator',
    'server/media/src/source/planted-simulator.ts',
    'camera-simulator/src/planted-a.ts',
  ),
  edge('kit-is-presentational', 'web/kit/src/planted-contract.ts', 'contract/src/planted-b/index.ts'),
  imports('client-draws-nothing', 'web/client/src/planted-react.ts', 'react'),
  edge('player-stands-on-client', 'web/player/src/planted-kit.ts', 'web/kit/src/planted-b.ts'),
  edge('shell-stands-on-kit-and-client', 'web/shell/src/planted-player.ts', 'web/player/src/planted-a.ts'),
  imports('start-needs-no-react', 'web/shell/src/start-planted.ts', 'react'),
  imports('timeline-needs-no-react', 'web/camera-app/src/recordings/timeline/planted-frame.ts', 'react'),
  edge('sign-in-is-plain-pages', 'web/sign-in/src/planted-client.ts', 'web/client/src/planted-a.ts'),
  edge('apps-stand-alone', 'web/camera-app/src/planted-app.ts', 'web/account-portal/src/planted-a.ts'),
  edge('packages-by-name', 'server/api/src/planted-c/index.ts', 'contract/src/planted-c/index.ts'),
  edge('through-the-index', 'server/api/src/planted-d/index.ts', 'server/api/src/planted-e/inside.ts'),
  ...floors,
  edge('auth-floor-is-in-the-list', 'server/auth/src/planted-f.ts', 'server/auth/src/planted-floor/index.ts'),
  edge(
    'rooms-of-a-floor-by-their-doors',
    'server/auth/src/oauth/planted-d/index.ts',
    'server/auth/src/oauth/planted-e/inside.ts',
  ),
  edge(
    'floors-know-rooms-by-their-doors',
    'server/auth/src/oauth/planted-f.ts',
    'server/auth/src/oauth/planted-f/inside.ts',
  ),
  edge(
    'screens-meet-by-their-doors',
    'web/camera-app/src/planted-f/screen.ts',
    'web/camera-app/src/planted-g/screen.ts',
  ),
  {
    check: 'direction',
    rule: 'no-slice-circles',
    names: 'server/api/src/planted-ring-a',
    files: {
      'server/api/src/planted-ring-a/index.ts':
        "import { leaf } from '../planted-ring-b/index.ts'\nexport const a = leaf\n",
      'server/api/src/planted-ring-a/other.ts': 'export const other = 1\n',
      'server/api/src/planted-ring-b/index.ts': 'export const leaf = 1\n',
      'server/api/src/planted-ring-b/more.ts':
        "import { other } from '../planted-ring-a/other.ts'\nexport const more = other\n",
    },
  },
  edge('only-store-touches-the-database', 'server/api/src/planted-h/index.ts', 'server/platform/src/db/planted-a.ts'),
  imports('only-store-builds-queries', 'server/auth/src/planted-query/index.ts', 'kysely'),
  imports('driver-stays-in-platform', 'server/media/src/control/planted-driver.ts', 'pg'),
  imports('rules-are-pure', 'server/api/src/planted-i/rules.ts', 'node:fs'),
  ...mediaSteps.map(({ rule, step, forbidden }) =>
    edge(rule, `server/media/src/${step}/planted-${forbidden}.ts`, `server/media/src/${forbidden}/planted-step.ts`),
  ),
  edge(
    'media-step-is-in-the-table',
    'server/media/src/control/planted-step.ts',
    'server/media/src/planted-new/index.ts',
  ),
  edge(
    'media-step-outside-the-table-leans-on-nothing',
    'server/media/src/planted-newer/index.ts',
    'server/media/src/frame/planted-step.ts',
  ),
  imports('media-core-does-no-io', 'server/media/src/mux/planted-io.ts', 'node:fs'),
  {
    check: 'direction',
    rule: 'no-circles',
    names: 'server/edge/src/planted-circle-a.ts',
    files: {
      'server/edge/src/planted-circle-a.ts':
        "import { b } from './planted-circle-b.ts'\nexport const a = (): unknown => b\n",
      'server/edge/src/planted-circle-b.ts':
        "import { a } from './planted-circle-a.ts'\nexport const b = (): unknown => a\n",
    },
  },
  imports('declared-only', 'server/edge/src/planted-undeclared.ts', 'acorn'),
  imports('product-runs-without-tools', 'server/edge/src/planted-tool.ts', 'fast-check'),
  edge('no-test-code-in-product', 'server/edge/src/planted-tests.ts', 'tests/planted-a.ts'),
  imports('resolvable', 'server/edge/src/planted-nowhere.ts', './planted-not-there.ts'),
]
