import type { Rolldown } from 'vite'

/**
 * How the screens of an app are divided into files. A screen comes when it is opened; what several screens use comes at once,
 * and so do the texts of a language, because each file costs a request and compresses worse alone.
 */
export const chunkGroups: readonly Rolldown.CodeSplittingGroup[] = [
  // Libraries change less often than we do: a browser keeps theirs over our releases. What asks before a page is left comes
  // with what shows the question, after the first screen.
  { name: 'vendor', test: /node_modules(?!.*useBlocker\.js)/ },
  {
    debugName: 'text',
    name: (module) => `text-${/(\w+)\.json$/.exec(module)?.[1] ?? 'other'}`,
    test: /\/locales\/\w+\.json$/,
  },
  { name: 'shared', test: /\/(?:web|contract)\//, minShareCount: 3 },
]
