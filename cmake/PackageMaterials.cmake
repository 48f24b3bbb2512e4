# Writes a bill of materials in SPDX 2.3 (JSON) for each package after CPack has installed the files to pack.
# It lists the files with their checksums, and the libraries that are linked into them, from COOPC_MATERIALS
# (for each PACKAGE,VERSION,SUITE,KIND,SHA256, from deps.lock). It is coopc.spdx.json among the package's
# documents.
function(coopc_write_materials root name out)
  string(TIMESTAMP created "%Y-%m-%dT%H:%M:%SZ" UTC)  # from SOURCE_DATE_EPOCH, if that is set
  set(packages "")
  set(relations "")
  foreach(material IN LISTS COOPC_MATERIALS)
    if(material STREQUAL "")
      continue()
    endif()
    string(REPLACE "," ";" material "${material}")
    list(GET material 0 package)
    list(GET material 1 version)
    list(GET material 2 suite)
    list(GET material 3 kind)
    list(GET material 4 sum)
    set(more "")
    if(NOT version STREQUAL "NOASSERTION")
      string(REPLACE "+" "%2B" escaped "${version}")
      string(REPLACE "~" "%7E" escaped "${escaped}")
      set(type "")
      if(kind STREQUAL "source")
        set(type "&arch=source")
      endif()
      set(more ",
      \"checksums\": [{\"algorithm\": \"SHA256\", \"checksumValue\": \"${sum}\"}],
      \"externalRefs\": [{\"referenceCategory\": \"PACKAGE-MANAGER\", \"referenceType\": \"purl\", \"referenceLocator\": \"pkg:deb/debian/${package}@${escaped}?distro=${suite}${type}\"}]")
    endif()
    string(APPEND packages ",
    {
      \"SPDXID\": \"SPDXRef-Package-${package}\",
      \"name\": \"${package}\",
      \"versionInfo\": \"${version}\",
      \"downloadLocation\": \"NOASSERTION\",
      \"filesAnalyzed\": false${more}
    }")
    string(APPEND relations ",
    {\"spdxElementId\": \"SPDXRef-Package\", \"relationshipType\": \"DEPENDS_ON\", \"relatedSpdxElement\": \"SPDXRef-Package-${package}\"}")
  endforeach()

  file(GLOB_RECURSE files RELATIVE "${root}" "${root}/*")
  list(SORT files)
  set(entries "")
  set(sums "")
  set(number 0)
  foreach(file IN LISTS files)
    if(IS_SYMLINK "${root}/${file}")
      continue()
    endif()
    file(SHA1 "${root}/${file}" sha1)
    file(SHA256 "${root}/${file}" sha256)
    math(EXPR number "${number} + 1")
    list(APPEND sums "${sha1}")
    if(number GREATER 1)
      string(APPEND entries ",")
    endif()
    string(APPEND entries "
    {
      \"SPDXID\": \"SPDXRef-File-${number}\",
      \"fileName\": \"./${file}\",
      \"checksums\": [{\"algorithm\": \"SHA1\", \"checksumValue\": \"${sha1}\"}, {\"algorithm\": \"SHA256\", \"checksumValue\": \"${sha256}\"}]
    }")
    string(APPEND relations ",
    {\"spdxElementId\": \"SPDXRef-Package\", \"relationshipType\": \"CONTAINS\", \"relatedSpdxElement\": \"SPDXRef-File-${number}\"}")
  endforeach()
  # The package verification code of SPDX 2.3, 7.9: the SHA1 of the files' sorted SHA1 sums.
  list(SORT sums)
  list(JOIN sums "" joined)
  string(SHA1 code "${joined}")
  file(WRITE "${out}" "{
  \"spdxVersion\": \"SPDX-2.3\",
  \"dataLicense\": \"CC0-1.0\",
  \"SPDXID\": \"SPDXRef-DOCUMENT\",
  \"name\": \"${name}-${COOPC_VERSION}\",
  \"documentNamespace\": \"https://coopc.example/spdx/${name}-${COOPC_VERSION}-${code}\",
  \"creationInfo\": {\"created\": \"${created}\", \"creators\": [\"Organization: The coopc maintainers\", \"Tool: coopc-PackageMaterials-${COOPC_VERSION}\"]},
  \"packages\": [
    {
      \"SPDXID\": \"SPDXRef-Package\",
      \"name\": \"${name}\",
      \"versionInfo\": \"${COOPC_VERSION}\",
      \"downloadLocation\": \"NOASSERTION\",
      \"filesAnalyzed\": true,
      \"packageVerificationCode\": {\"packageVerificationCodeValue\": \"${code}\", \"packageVerificationCodeExcludedFiles\": [\"coopc.spdx.json\"]},
      \"licenseDeclared\": \"Apache-2.0\"
    }${packages}
  ],
  \"files\": [${entries}
  ],
  \"relationships\": [
    {\"spdxElementId\": \"SPDXRef-DOCUMENT\", \"relationshipType\": \"DESCRIBES\", \"relatedSpdxElement\": \"SPDXRef-Package\"}${relations}
  ]
}
")
  # The same mode as the package's other files, whatever the umask of the user is.
  file(CHMOD "${out}" PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
endfunction()

# Each Debian package has a folder for its component, which gets a file. The archive is one tree, and its file
# is among the programs' documents.
set(_apart FALSE)
foreach(_component IN LISTS CPACK_COMPONENTS_ALL)
  file(GLOB_RECURSE _copyrights "${CPACK_TEMPORARY_DIRECTORY}/${_component}/*")
  list(FILTER _copyrights INCLUDE REGEX "/doc/[^/]+/copyright$")
  if(_copyrights)
    set(_apart TRUE)
    list(GET _copyrights 0 _copyright)
    cmake_path(GET _copyright PARENT_PATH _documents)
    cmake_path(GET _documents FILENAME _package)
    coopc_write_materials("${CPACK_TEMPORARY_DIRECTORY}/${_component}" "${_package}" "${_documents}/coopc.spdx.json")
  endif()
endforeach()
if(NOT _apart)
  file(GLOB_RECURSE _copyrights "${CPACK_TEMPORARY_DIRECTORY}/*")
  list(FILTER _copyrights INCLUDE REGEX "/doc/coopc/copyright$")
  if(_copyrights)
    list(GET _copyrights 0 _copyright)
    cmake_path(GET _copyright PARENT_PATH _documents)
    coopc_write_materials("${CPACK_TEMPORARY_DIRECTORY}" coopc "${_documents}/coopc.spdx.json")
  endif()
endif()
