import './main.css'
import { createRoot } from 'react-dom/client'
import { ApiDocs } from './ApiDocs.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element with id root')
createRoot(root).render(<ApiDocs />)
