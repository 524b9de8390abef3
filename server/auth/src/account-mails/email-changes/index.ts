export { noteToOwner, questionMail } from './ask.ts'
export { type EmailChangeDeps, emailChangeAction } from './page.ts'
