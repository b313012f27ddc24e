// The build puts this into the head of the document: see vite.config.ts.
import { noteEarly } from "./early";

noteEarly();
