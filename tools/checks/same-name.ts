// A feature has one name on all sides: contract, servers, applications. Reports names that exist on one side only.

import { listFolders, readJson } from './tree.ts'
import { report } from './verdict.ts'

const { notFeatures } = readJson('tools/checks/same-name.json') as {
  readonly notFeatures: Readonly<Record<string, Readonly<Record<string, string>>>>
}
/** Possible other sides: the contract; the edge, which serves pages; a package of pages. */
const otherSides = new Set(['contract/src', 'server/edge/src', 'web'].flatMap(listFolders))
/** Folders of every application that are not features. */
const aroundFeatures = new Set(['shell', 'locales'])
/** Folders of the contract for all features: shared terms, and messages between processes. */
const ofAllFeatures = new Set(['errors', 'rights', 'routes', 'theme', 'wire'])
const isOfPlanes = (slice: string): boolean => slice.endsWith('-plane')
/** Folders where a feature of the contract can be on the other side; the authorization server has one per layer. */
const floors = listFolders('server/auth/src').map((floor) => `server/auth/src/${floor}`)
const libraries = new Set(['kit', 'client', 'shell', 'player', 'sign-in'])
const homes = [
  'server/api/src',
  'server/auth/src',
  ...listFolders('web')
    .filter((app) => !libraries.has(app))
    .map((app) => `web/${app}/src`),
]

const isExcused = (home: string, slice: string): boolean =>
  notFeatures[home]?.[slice] !== undefined || (home.startsWith('web/') && aroundFeatures.has(slice))

const strays = homes.flatMap((home) =>
  listFolders(home)
    .filter((slice) => !otherSides.has(slice) && !isExcused(home, slice))
    .map(
      (slice) =>
        `${home}/${slice} has no contract/src/${slice}; give both the specification's word, or say in same-name.json why it is no feature`,
    ),
)
const built = new Set([...homes, ...floors, 'server/edge/src', 'server/media/src'].flatMap(listFolders))
const alone = listFolders('contract/src')
  .filter((slice) => !built.has(slice) && !ofAllFeatures.has(slice) && !isOfPlanes(slice))
  .filter((slice) => !isExcused('contract/src', slice))
  .map((slice) => `contract/src/${slice} has no folder of that name in a server or an application`)
const gone = Object.entries(notFeatures).flatMap(([home, slices]) =>
  Object.keys(slices)
    .filter((slice) => !listFolders(home).includes(slice))
    .map((slice) => `same-name.json excuses ${home}/${slice}, which is not there`),
)
report([...strays, ...alone, ...gone])
