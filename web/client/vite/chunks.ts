import type { Rolldown } from 'vite'

/**
 * How the screens of an app are divided into files. A screen comes when it is opened; what several screens use comes at once,
 * and so do the texts of a language, because each file costs a request and compresses worse alone.
 */
export const chunkGroups: readonly Rolldown.CodeSplittingGroup[] = [
  // Libraries change less often than our code, so a browser can keep them across our releases. Charts load with the screen
  // that shows one, and the code that warns about unsaved changes loads with the dialog, after the first screen.
  {
    name: 'vendor',
    test: /node_modules(?!.*(?:useBlocker\.js|\/(?:@(?:base|floating)-ui|lucide-react|reselect|uplot)\/|with-selector))/,
  },
  {
    debugName: 'text',
    name: (module) => `text-${/(\w+)\.json$/.exec(module)?.[1] ?? 'other'}`,
    test: /\/locales\/\w+\.json$/,
  },
  // Popups and switches bring Base UI, which no first screen needs.
  {
    name: 'shared',
    test: /\/(?:web\/(?!kit\/src\/(?:popups|(?:Setting)?Switch)|camera-app\/src\/rights\/RightSwitches)|contract\/)/,
    minShareCount: 3,
  },
]
