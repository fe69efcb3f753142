"use strict";
// Before anything is painted: the theme that was chosen here last time, if any.
try {
  const chosen = localStorage.getItem("theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
} catch (refused) { /* storage is closed: the system's scheme is used */ }
