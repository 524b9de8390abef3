import type { HtmlTagDescriptor, Plugin, Rolldown } from 'vite'

/** The chunk of a module that is imported on demand, and everything it imports statically. */
function chunksOf(bundle: Rolldown.OutputBundle, module: string): readonly string[] {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
  const start = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module) === true)
  if (start === undefined) throw new Error(`no chunk begins with ${module}, which is to be preloaded`)
  const reached = new Set([start.fileName])
  // Iterating over a set includes elements that are added meanwhile.
  for (const file of reached) {
    for (const imported of chunks.find(({ fileName }) => fileName === file)?.imports ?? []) reached.add(imported)
  }
  return [...reached]
}

/**
 * Preloads modules that the entry imports only later (`modulepreload`), because nearly every visit needs them. They
 * download in parallel with the entry instead of after it.
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
