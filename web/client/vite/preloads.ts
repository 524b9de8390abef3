import type { HtmlTagDescriptor, Plugin, Rolldown } from 'vite'

/** The chunk of a module that is imported when it is needed, and all that it imports without waiting. */
function chunksOf(bundle: Rolldown.OutputBundle, module: string): readonly string[] {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
  const start = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module) === true)
  if (start === undefined) throw new Error(`no chunk begins with ${module}, which is to be preloaded`)
  const reached = new Set([start.fileName])
  // A set hands out what is added while it is walked through.
  for (const file of reached) {
    for (const imported of chunks.find(({ fileName }) => fileName === file)?.imports ?? []) reached.add(imported)
  }
  return [...reached]
}

/**
 * Has the browser fetch modules from the start that the entry imports only later (`modulepreload`), because nearly every
 * visit needs them: what comes first runs first, and nothing waits for a second journey.
 *
 * @param modules ends of their paths: `/src/screens.tsx`
 */
export function preloads(modules: readonly string[]): Plugin {
  let base = '/'
  return {
    name: 'sightline-preloads',
    apply: 'build',
    configResolved(config) {
      base = config.base
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        if (bundle === undefined) return []
        const files = new Set(modules.flatMap((module) => chunksOf(bundle, module)))
        return [...files]
          .map((file) => `${base}${file}`)
          .filter((href) => !html.includes(href))
          .map(
            (href): HtmlTagDescriptor => ({
              tag: 'link',
              attrs: { rel: 'modulepreload', crossorigin: true, href },
              injectTo: 'head',
            }),
          )
      },
    },
  }
}
