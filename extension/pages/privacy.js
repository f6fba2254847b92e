/** Explains which data goes where, and the purpose of each permission. */

import { fillTexts } from "./connection.js";

fillTexts();
