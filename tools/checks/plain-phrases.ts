/** Phrases that are not plain English, each with its replacement. */
export const PHRASES: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\bby (?:itself|themselves)\b/i, 'automatically'],
  [/\b(?:is|are|be|was|were) (?:not )?told\b|\btold of\b/i, 'notified'],
  [/\bwhoever\b/i, 'the user who, anyone who'],
  [/\bnobody\b/i, 'no one, or name who: "no users", "only the owner"'],
  [/\bsomebody\b/i, 'someone, or name who'],
  [/\banybody\b/i, 'anyone'],
  [/\beverybody\b/i, 'everyone, or name who: "all users"'],
  [/\bat (?:this|the same) moment\b/i, 'now, at the same time'],
  [/\bwhich is given\b/i, 'the value itself'],
  [/\b(?:begins? )?anew\b/i, 'again'],
  [/\bwhat became of\b/i, 'the result'],
  [/\b(?:on what|what it stands on)\b/i, 'the target, or what it is based on'],
  [/\bwhat (?:can be|was) done\b/i, 'actions, activity'],
  [/\b(?:goes|go) on\b/i, 'continues'],
  [/\be-mails?\b/i, 'email'],
  [/\bmails\b|\b(?:a|by|no|each|this|your) mail\b(?! server)/i, 'email'],
  [/\bnot among\b/i, 'say that it was not found or is not allowed'],
  [/\b(?:exists|used) already\b/i, 'already exists, already used'],
  [/\bstill to come\b/i, 'in the future'],
]

/** The phrases in a text that are not plain, with their replacements. */
export const phraseFaults = (text: string, phrases = PHRASES): readonly string[] =>
  phrases.flatMap(([phrase, instead]) => {
    const found = phrase.exec(text)?.[0]
    return found === undefined ? [] : [`says "${found}"; write ${instead}`]
  })
