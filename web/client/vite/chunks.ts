import type { Rolldown } from 'vite'

const languageOf = (module: string): string => /(\w+)\.json$/.exec(module)?.[1] ?? 'other'

/** Calls of screens that people open after the first one: recorders, settings, profiles, packages. */
const LATER_CALLS = [
  'body-cameras|camera-(?:additions|check-ups|discovery|io|replacements|transfers)|cloud-sync|detectors',
  'device-(?:channels|jobs|logs)|devices|edge-storage|events|explanations|exports|firmware|footage-(?:ranges|summary)',
  'mobile-subscriptions|permission-profiles|schedules|shares|storage-usage|subscriptions',
].join('|')

/** Parts of the kit and of apps that no first screen needs. */
const LATER_PARTS = [
  'kit/src/(?:popups|windowing|table|Check|TickBox|Switch|SettingSwitch|FormDialog|Calendar|Copy|Date|OneTime|Password|Progress|Radio|Segment|Time|date-|radio-)',
  'player/src/(?:Footage|footage-(?!player)|forward|session|picture-|playback|media-source)',
  'shell/src/(?:use-server-rows|time-zones|use-optimistic|use-save)',
  'camera-app/src/(?!(?:streams|cameras|shell|camera-(?:controls|modes|ptz|warnings))/|[^/]+$)',
  'dealer-dashboard/src/(?!shell/(?!TimeZoneField))',
].join('|')

/**
 * How the screens of an app are divided into files. A screen loads when it opens. Code shared by several screens is one file,
 * and the texts of a language
 * are two, those of the first screens and those of others, because each file costs a request and small files compress worse.
 */
export const chunkGroups: readonly Rolldown.CodeSplittingGroup[] = [
  // Code that identifies the user and requests their data before anything can be rendered, with its imports.
  {
    name: 'begin',
    test: /\/web\/(?:client\/src\/(?!authorization)|shell\/src\/(?:account-queries|create-application|painted-notice|offered-languages|start-application)|[\w-]+\/src\/first-screen)/,
    priority: 1,
  },
  // Only the preview of a brand calculates colors.
  { name: 'palette', test: /\/contract\/src\/theme\/(?:palette|colour)/, priority: 2 },
  { name: 'react', test: /node_modules\/(?:react|react-dom|scheduler)\// },
  // Libraries change less often than our code, so a browser can keep them across our releases. Charts, maps and dates load with
  // the screen that shows one, the code for long lists with the first long list, and the code that warns about unsaved changes with
  // the dialog, after the first screen.
  {
    name: 'vendor',
    test: /node_modules(?!.*(?:useBlocker\.js|\/(?:@(?:(?:base|floating)-ui|internationalized|swc)|aria-hidden|clsx|lucide-react|react-(?:aria(?:-components)?|stately)|reselect|uplot|maplibre-gl|topojson-client|@tanstack\/(?:react-)?virtual(?:-core)?)\/|with-selector))/,
  },
  // The texts of an app's first screens.
  { debugName: 'text', name: (module) => `text-${languageOf(module)}`, test: /\/src\/locales\/\w+\.json$/ },
  {
    debugName: 'screen text',
    name: (module) => `screen-text-${languageOf(module)}`,
    // Screens with many texts, such as the labels of all audit actions, have a file of their own.
    test: /(?<!\/(?:api-keys|audit-logs|theme|src))\/locales\/\w+\.json$/,
  },
  // The first screen of the Web App shows a camera; lists and everything else load with the screens that show them.
  {
    name: 'shared',
    test: new RegExp(`/(?:web/(?!${LATER_PARTS})|contract/(?!src/(?:theme|insights|jobs|reports|${LATER_CALLS})/))`),
    minShareCount: 3,
  },
  // The picture of a camera; what footage and several cameras need besides loads later.
  {
    name: 'stage',
    test: /camera-app\/src\/stage\/(?!KeyHelp|DebugOverlay|FootageOverlays|RecordedPicture|StageFootage|PlayControls|TileBar)/,
  },
  // Only some lists have filters with a checklist or dates; their code loads with the screens that show them.
  {
    name: 'lists',
    test: /\/web\/(?:kit\/src\/(?:windowing\/(?:use|list)|table\/(?!Filter(?:List|Popup))|TickBox)|shell\/src\/use-server-rows)/,
    minShareCount: 2,
  },
]
