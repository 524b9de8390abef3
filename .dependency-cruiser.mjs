/** The direction of dependencies. Each rule says why, because its text is what a developer reads at a red build. */

/** A file that proves something; it may reach for collaborators that product code may not. */
const TEST = '\\.test\\.tsx?$'
// What tests of several files begin with.
const STAGE = '-stage\\.ts$'
const STORE = '[/-]store\\.ts$'
const PRODUCT = '^(contract|server|web|camera-simulator|bridge)/'

const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

/** What each step of the media pipeline may lean on; a step missing here may lean on nothing. */
const mediaMayUse = {
  frame: [],
  codec: ['frame'],
  mux: ['frame', 'codec'],
  hub: ['frame'],
  source: ['frame', 'codec'],
  output: ['frame', 'codec', 'hub', 'mux'],
  recording: ['frame', 'codec', 'hub', 'mux'],
  playback: ['frame', 'codec', 'mux', 'recording'],
  clips: ['frame', 'codec', 'mux', 'recording', 'playback'],
  're-encoding': ['frame', 'codec', 'mux', 'decoder', 'sound', 'recording', 'playback', 'clips'],
  'footage-proof': ['frame', 'codec', 'mux', 'recording', 'playback', 'clips'],
  hls: ['frame', 'codec', 'hub', 'mux', 'recording', 'playback'],
  decoder: ['frame', 'codec'],
  pictures: ['frame', 'hub', 'decoder', 'sound'],
  'rtsp-server': ['frame', 'codec', 'hub', 'recording', 'playback'],
  webrtc: ['frame', 'codec', 'hub'],
  motion: [],
  sound: [],
  control: [
    'frame',
    'codec',
    'mux',
    'hub',
    'source',
    'output',
    'recording',
    'playback',
    'clips',
    'footage-proof',
    're-encoding',
    'hls',
    'decoder',
    'pictures',
    'rtsp-server',
    'webrtc',
    'motion',
    'sound',
  ],
}
const steps = Object.keys(mediaMayUse)

/** The life cycle of a sign-in, lowest first: the authorization server's folders, each of which may lean on those before it. */
const authFloors = [
  'sign-in-pages',
  'people',
  'sessions',
  'factors',
  'account-mails',
  'sign-in',
  'oauth',
  'personal-data',
  'auth-plane',
]
const unknownFloor = `^server/auth/src/(?!(?:${authFloors.join('|')})/)[^/]+/`
const unknownStep = `^server/media/src/(?!(?:${steps.join('|')})/)[^/]+/`

/** Who may know whom. */
const map = [
  forbid(
    'contract-is-a-leaf',
    'The contract is what both sides of the wire agree on; it knows neither side and does no I/O.',
    { path: '^contract/', pathNot: TEST },
    { pathNot: ['^contract/', 'node_modules/zod/'] },
  ),
  forbid(
    'browser-pays-for-zod-mini-only',
    'zod/mini is 4.7 KiB in a browser, zod is 21.9 KiB; the contract and the apps use the small one.',
    { path: '^(contract|web)/', pathNot: TEST },
    { path: 'node_modules/zod/', pathNot: 'node_modules/zod/(v4/)?(mini|core|locales)/' },
  ),
  forbid(
    'browser-and-server-meet-in-contract',
    'Browser code must not reach into the server.',
    { path: '^web/', pathNot: TEST },
    { path: '^(server|bridge)/' },
  ),
  forbid(
    'server-knows-no-browser',
    'Server code must not reach into the browser apps; server/run hands over what Vite built.',
    { path: '^server/', pathNot: TEST },
    { path: '^web/' },
  ),
  forbid(
    'planes-meet-in-run',
    'edge, auth, api and media run on different machines; they talk over the contract or the bus and are put together in server/run only.',
    { path: '^server/(edge|auth|api|media|jobs)/' },
    { path: '^server/(edge|auth|api|media|jobs|run)/', pathNot: '^server/$1/' },
  ),
  forbid(
    'run-is-the-top',
    'server/run composes; nothing of the product leans on it.',
    { path: '^(?!server/run/|tests/|bench/|tools/)' },
    { path: '^server/run/' },
  ),
  forbid(
    'programs-are-the-top-of-run',
    'A program puts together what server/run/compose and server/run/demo offer; they know no program.',
    { path: '^server/run/(compose|demo)/', pathNot: TEST },
    { path: '^server/run/programs/' },
  ),
  forbid(
    'composition-knows-no-demonstration',
    'An installation without the demonstration runs the same planes, so the demonstration is added by a program.',
    { path: '^server/run/compose/' },
    { path: '^server/run/demo/' },
  ),
  forbid(
    'platform-knows-no-feature',
    'platform is below every feature.',
    { path: '^server/platform/' },
    { path: '^server/(?!platform/)' },
  ),
  forbid(
    'no-hidden-context',
    'What a call is decided on is passed on as an argument, so that signatures show it (docs/decisions/0044).',
    { path: '^(contract|server|web)/' },
    { path: '^(node:)?async_hooks$' },
  ),
  forbid(
    'simulator-knows-no-product',
    'The simulated camera must be as foreign to the product as a bought one, or it proves nothing.',
    { path: '^camera-simulator/' },
    { path: '^(contract|server|web|bridge|tests|bench|tools)/' },
  ),
  forbid(
    'product-knows-no-simulator',
    'Only the demonstration, the program that starts it, tests and bench use the simulated camera.',
    { path: '^(?!camera-simulator/|server/run/(demo|programs)/|tests/|bench/)', pathNot: TEST },
    { path: '^camera-simulator/' },
  ),
  forbid(
    'kit-is-presentational',
    'The component kit draws; it knows no API.',
    { path: '^web/kit/' },
    { path: ['^web/(?!kit/)', '^contract/'] },
  ),
  forbid(
    'client-draws-nothing',
    'The API client is used by every app and draws nothing.',
    { path: '^web/client/', pathNot: TEST },
    { path: ['^web/(?!client/)', 'node_modules/react'] },
  ),
  forbid(
    'player-stands-on-client',
    'The player is an engine of its own: contract and client below it, no app and no kit.',
    { path: '^web/player/', pathNot: TEST },
    { path: '^web/(?!player/|client/)' },
  ),
  forbid(
    'shell-stands-on-kit-and-client',
    'The shell is what all apps have around their screens: it knows no app, and pictures are not its matter.',
    { path: '^web/shell/', pathNot: TEST },
    { path: '^web/(?!shell/|kit/|client/)' },
  ),
  forbid(
    'start-needs-no-react',
    'What an application begins with runs while React is still on its way (decision 0028).',
    {
      path: '^web/shell/src/(?:start[^/]*|create-application|account-queries|connection|offered-languages|painted-notice|scheme|translate)\\.ts$',
    },
    { path: 'node_modules/(?:react|react-dom)/', dynamic: false },
  ),
  forbid(
    'timeline-needs-no-react',
    'The timeline is drawn once per animation frame, outside React; the screen around it is told of changes (decision 0141).',
    { path: '^web/camera-app/src/recordings/timeline/', pathNot: TEST },
    {
      path: ['node_modules/(?:react|react-dom|@tanstack)/', '^web/'],
      pathNot: ['^web/camera-app/src/recordings/timeline/', '^web/shell/src/local-day\\.ts$'],
    },
  ),
  forbid(
    'sign-in-is-plain-pages',
    'Sign-in pages become plain HTML on the server: kit and contract only.',
    { path: '^web/sign-in/', pathNot: TEST },
    { path: '^web/(?!sign-in/|kit/)' },
  ),
  forbid(
    'apps-stand-alone',
    'Two apps share through kit, client, shell and player, never directly.',
    { path: '^web/(?!kit/|client/|shell/|player/|sign-in/)([^/]+)/' },
    { path: '^web/(?!kit/|client/|shell/|player/)', pathNot: '^web/$1/' },
  ),
  forbid(
    'packages-by-name',
    'Another package is used by its name and its exports, not by a path into its folders.',
    { path: '^((?:server|web)/[^/]+|contract|camera-simulator|bridge)/' },
    { path: PRODUCT, pathNot: '^$1/', dependencyTypesNot: ['aliased-workspace'] },
  ),
]

/** Inside a side: slices and their doors. */
const slices = [
  forbid(
    'through-the-index',
    'Another slice, topic or step is used through its index.ts.',
    {
      path: '^(contract|server/(?:api|auth|media|platform))/src/([^/]+)/',
      pathNot: [TEST, '^server/platform/src/db-testing/'],
    },
    { path: '^$1/src/[^/]+/', pathNot: ['^$1/src/$2/', '/index\\.ts$'] },
  ),
  forbid(
    'screens-meet-by-their-doors',
    'Features of an app are put together in its screens.tsx or routes; what one lends to another stands in its index.ts.',
    { path: '^web/(?!kit/|client/|shell/|player/|sign-in/)([^/]+)/src/([^/]+)/', pathNot: TEST },
    {
      path: '^web/$1/src/[^/]+/',
      pathNot: ['^web/$1/src/$2/', '^web/$1/src/(shell|locales)/', '^web/$1/src/[^/]+/index\\.tsx?$'],
    },
  ),
  forbid(
    'only-store-touches-the-database',
    'SQL lives in store.ts; the rest of the slice gets values.',
    { path: '^server/(api|auth|media)/src/[^/]+/', pathNot: [STORE, TEST, STAGE] },
    { path: '^server/platform/src/db/', dependencyTypesNot: ['type-only'] },
  ),
  forbid(
    'only-store-builds-queries',
    'The query builder is for store.ts; elsewhere not even its types are needed.',
    { path: '^server/(?!platform/)', pathNot: [STORE, TEST] },
    { path: 'node_modules/kysely/' },
  ),
  forbid(
    'driver-stays-in-platform',
    'Which driver reaches PostgreSQL is decided in server/platform alone.',
    { path: '^(?!server/platform/)', pathNot: [TEST, '^(tests|bench|tools)/'] },
    { path: 'node_modules/(@types/)?(pg|pg-pool|pg-cursor|pg-copy-streams)/' },
  ),
  forbid(
    'rules-are-pure',
    'rules.ts decides; it neither reads nor writes anything.',
    { path: '/rules\\.ts$' },
    { pathNot: ['^contract/', '^server/platform/src/result/', '/rules\\.ts$', 'node_modules/zod/mini/'] },
  ),
]

/** The authorization server: floors of its life cycle, and rooms on them. */
const auth = [
  ...authFloors.map((floor, i) =>
    forbid(
      `auth-${floor}-leans-on-lower-floors`,
      'What begins a sign-in stands above what it needs; the list in .dependency-cruiser.mjs has the floors, lowest first. Move code down, or let server/auth/src/index.ts hand it in.',
      { path: `^server/auth/src/${floor}/`, pathNot: TEST },
      { path: '^server/auth/src/', pathNot: authFloors.slice(0, i + 1).map((below) => `^server/auth/src/${below}/`) },
    ),
  ),
  forbid(
    'auth-floor-is-in-the-list',
    'A new folder of server/auth is a room on one of the floors in .dependency-cruiser.mjs, or a floor that is written there.',
    {},
    { path: unknownFloor },
  ),
  forbid(
    'rooms-of-a-floor-by-their-doors',
    'On a floor of server/auth a room is used through its index.ts, and the floor by its own.',
    { path: '^server/auth/src/([^/]+)/([^/]+)/', pathNot: TEST },
    { path: '^server/auth/src/$1/', pathNot: ['^server/auth/src/$1/$2/', '/index\\.ts$'] },
  ),
  forbid(
    'floors-know-rooms-by-their-doors',
    'On a floor of server/auth a room is used through its index.ts.',
    { path: '^server/auth/src/([^/]+)/[^/]+$', pathNot: TEST },
    { path: '^server/auth/src/$1/[^/]+/', pathNot: '/index\\.ts$' },
  ),
]

/** The media pipeline: pictures travel source → hub → output. */
const media = [
  ...Object.entries(mediaMayUse)
    .filter(([, may]) => may.length < steps.length - 1)
    .map(([step, may]) =>
      forbid(
        `media-${step}-leans-on-${may.join('-') || 'nothing'}`,
        'Pictures travel source → hub → output; the table in .dependency-cruiser.mjs says who may lean on whom.',
        { path: `^server/media/src/${step}/`, pathNot: TEST },
        { path: '^server/media/src/', pathNot: [step, ...may].map((s) => `^server/media/src/${s}/`) },
      ),
    ),
  forbid(
    'media-step-is-in-the-table',
    'A new step of the pipeline is written into the table in .dependency-cruiser.mjs: what may it lean on?',
    {},
    { path: unknownStep },
  ),
  forbid(
    'media-step-outside-the-table-leans-on-nothing',
    'A new step of the pipeline is written into the table in .dependency-cruiser.mjs: what may it lean on?',
    { path: unknownStep },
    {},
  ),
  forbid(
    'media-core-does-no-io',
    'frame, codec and mux turn bytes into bytes: no sockets, files, clocks.',
    { path: '^server/media/src/(frame|codec|mux)/', pathNot: TEST },
    { dependencyTypes: ['core'] },
  ),
]

const hygiene = [
  forbid(
    'no-circles',
    'A circle has no beginning to read from.',
    {},
    { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
  ),
  forbid(
    'declared-only',
    'Import only what this package declares.',
    { path: PRODUCT },
    { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  ),
  forbid(
    'product-runs-without-tools',
    'A package of devDependencies is not there when the product runs.',
    { path: PRODUCT, pathNot: [TEST, '\\.config\\.ts$', '^camera-simulator/scenes/'] },
    { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only', 'npm'] },
  ),
  forbid(
    'no-test-code-in-product',
    'Product code must not import tests, benches or tools.',
    { path: PRODUCT, pathNot: TEST },
    { path: [TEST, '^(tests|bench|tools)/'] },
  ),
  forbid(
    'resolvable',
    'This import leads nowhere.',
    {},
    // What the catalogues' plugin makes while it builds (web/client/vite) is no file.
    { couldNotResolve: true, pathNot: '^virtual:(?:texts-of-screens/[a-z]{2}|screen-texts)$' },
  ),
]

const options = {
  doNotFollow: { path: 'node_modules' },
  // What git ignores at any depth, but not the dist/ and data/ folders in which packages have their code.
  exclude: {
    path: [
      '^(dist|coverage|data)/',
      '^(contract|server|web|camera-simulator|tests|bench|tools)/.*/(dist|coverage|data)/',
      '^(contract|server|web|camera-simulator|tests|bench|tools)/(dist|coverage|data)/',
    ],
  },
  tsPreCompilationDeps: true,
  tsConfig: { fileName: 'tsconfig.json' },
  combinedDependencies: true,
  enhancedResolveOptions: {
    exportsFields: ['exports'],
    conditionNames: ['types', 'import', 'default'],
    extensions: ['.ts', '.tsx', '.mjs', '.js'],
  },
}

export { authFloors, forbid, mediaMayUse, options, TEST }

export default { forbidden: [...map, ...slices, ...auth, ...media, ...hygiene], options }
