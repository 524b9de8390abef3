import { languageChosenHere } from '@sightline/client'
import type { RuntimeConfig } from '@sightline/contract/runtime-config'
import type { Application } from '@sightline/shell'
import { runThirdPartyScript } from './third-party-script.ts'

declare global {
  interface Window {
    /** Settings of the translation tool, which requires this name. */
    _jipt?: unknown[]
  }
}

type Tool = NonNullable<RuntimeConfig['translation']>
type Message = string | (string | [string])[]

/** The marker of a text, with its placeholders: `{name}`. */
export function parseMessage(mark: string): Message {
  const parts = mark.split(/\{(\w+)\}/)
  return parts.map((part, index): string | [string] => (index % 2 === 0 ? part : [part])).filter((part) => part !== '')
}

async function loadMarks(tool: Tool): Promise<{ default: Record<string, Message> }> {
  const response = await fetch(tool.texts)
  if (!response.ok) throw new Error(`${tool.texts}: HTTP ${response.status} instead of the marks of texts`)
  const marks: Record<string, unknown> = await response.json()
  const messages = Object.entries(marks).flatMap(([text, mark]) =>
    typeof mark === 'string' ? [[text, parseMessage(mark)] as const] : [],
  )
  runTool(tool)
  return { default: Object.fromEntries(messages) }
}

function runTool(tool: Tool): void {
  if (window._jipt !== undefined) return
  window._jipt = [['project', tool.project]]
  runThirdPartyScript('translation', tool.script)
}

/** Adds the language in which each text is a marker for the translation tool. The tool loads with the language. */
export async function offerTranslation({ languages }: Application, tool: Tool): Promise<void> {
  languages.offer({ code: 'aa', name: 'Translate in the page (aa)', load: () => loadMarks(tool) })
  if (languageChosenHere() === 'aa') await languages.choose('aa')
}
